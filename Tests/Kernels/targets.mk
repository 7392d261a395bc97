# The tests of the loops in C: see README.md.

.PHONY: test-kernels kernel-counts

# The commands for arm64 on other processors.
CROSS_CC ?= aarch64-linux-gnu-gcc
CROSS_RUN ?= qemu-aarch64

# Builds and runs the test with vector code, with that of every processor, and without for the parts in C that other processors use.
TEST_KERNELS = for variant in vectors baseline portable; do \
		case $$variant in \
			vectors) flags= ;; \
			baseline) flags='-D__builtin_cpu_supports(feature)=0' ;; \
			portable) flags="-U__SSE2__ -U__ARM_NEON" ;; \
		esac; \
		echo "The loops in C, $(1), $$variant" >&2; \
		$(2) -O2 -Wall -Wno-unused-const-variable -D_Nonnull= -D_Nullable= $$flags -pthread -ISources/CKernels/include \
			-o .build-kernels/$(1)-$$variant Tests/Kernels/kernels.c Sources/CKernels/*.c \
			&& $(3) .build-kernels/$(1)-$$variant $(SEED) || exit 1; \
	done

test-kernels: ## Compare the loops in C with plain definitions, and NEON under qemu: SEED=7
	@mkdir -p .build-kernels
	@$(call TEST_KERNELS,native,$(CC),)
	@case $$(uname -m) in aarch64 | arm64) exit 0 ;; esac; \
	if command -v $(firstword $(CROSS_CC)) >/dev/null && command -v $(firstword $(CROSS_RUN)) >/dev/null; then \
		$(call TEST_KERNELS,arm64,$(CROSS_CC) -static,$(CROSS_RUN)); \
	else \
		echo "The loops for NEON were skipped. On Debian, they need the packages gcc-aarch64-linux-gnu," \
			"libc6-dev-arm64-cross and qemu-user." >&2; \
	fi

kernel-counts: ## Count the instructions of the loops in C under qemu, on arm64 and on x86-64
	@SWIFTC="$(SWIFT)c" Tests/Kernels/counts.sh .build-kernels/counts
