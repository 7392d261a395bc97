# Proofs and exhaustive tests: see Tests/PROOFS.md.

.PHONY: prove-kernels eva-kernels prove-numbers model-workers exhaustive deps-proofs

PROOFS := .build-proofs
# The compiler of the toolchain, which also compiles the loops for the package.
PROOF_CLANG = $(firstword $(wildcard $(dir $(shell command -v $(SWIFT)))clang) clang)
# The functions to prove, such as 'string_end plain_end'. The default is all.
KERNELS ?=

# The variant of this processor, which is compared with the compiled code.
NATIVE = $(if $(filter arm64 aarch64,$(shell uname -m)),neon,sse2)
# Compares the executor with the compiled code of a variant: the variant, options of the compiler, the number of inputs, and a runner.
COMPARE = $(PROOF_CLANG) -O2 -D_Nonnull= -D_Nullable= -Wno-everything -ISources/CKernels/include $(2) \
		-o $(PROOFS)/ir/compiled.$(1) Tests/Proofs/compiled.c \
	&& $(PROOFS)/bin/python Tests/Proofs/compare_kernels.py $(PROOFS)/ir $(1) $(3) $(4)

prove-kernels: $(PROOFS)/bin/python ## Prove that the loops in C have the results of definitions byte by byte, with z3: KERNELS='string_end hex_unit'
	@CLANG=$(PROOF_CLANG) Tests/Proofs/compile.sh $(PROOFS)/ir
	@$(call COMPARE,$(NATIVE),,200)
	@[ $(NATIVE) = neon ] || { $(call COMPARE,portable,-U__SSE2__,10); }
	@if [ $(NATIVE) = neon ]; then exit 0; fi; \
	if command -v $(firstword $(CROSS_CC)) >/dev/null && command -v $(firstword $(CROSS_RUN)) >/dev/null; then \
		$(call COMPARE,neon,--target=aarch64-linux-gnu -static -fuse-ld=lld,200,$(CROSS_RUN)); \
	else \
		echo "The compiled code for NEON was not compared. On Debian, that needs the packages gcc-aarch64-linux-gnu," \
			"libc6-dev-arm64-cross and qemu-user." >&2; \
	fi
	@$(PROOFS)/bin/python -u Tests/Proofs/prove_kernels.py $(PROOFS)/ir $(KERNELS)

$(PROOFS)/bin/python: | deps-proofs
	@python3 -m venv $(PROOFS)
	@$(PROOFS)/bin/pip install --quiet --disable-pip-version-check z3-solver==5.4.1.0 >&2

eva-kernels: ## Examine the portable loops in C for undefined behavior, with Eva of Frama-C
	@Tests/Proofs/undefined.sh $(PROOFS)/eva

deps-proofs:
	@$(call INSTALL,,python3 -c 'import ensurepip' 2>/dev/null || missing="$$missing python3-venv")

prove-numbers: deps-proofs ## Prove the bounds of the products with powers of ten, with exact integers
	@python3 Tests/Proofs/prove_numbers.py

model-workers: deps-proofs ## Examine every interleaving of a stream and its worker threads, in a model
	@python3 Tests/Proofs/model_workers.py

# The program is built without macros and Foundation's models.
EXHAUSTIVE := --product sluice-exhaustive -c release --disable-default-traits --traits Yajl --scratch-path .build-exhaustive
# The number of symbols of the texts, that of the texts that are also divided, that after the one with which no text is a document, and the
# first symbols.
LENGTH ?= 7
CUTS ?= 5
REJECTED ?= 20
FIRST ?= 0
LAST ?= 19

exhaustive: deps ## Judge all short texts with both sources and an automaton: LENGTH=6 CUTS=4, REJECTED=1, FIRST=0 LAST=9 for half of the texts
	@SLUICE_EXHAUSTIVE=1 $(ORDERED) $(SWIFT) build $(EXHAUSTIVE) $(QUIET) >&2
	@LENGTH=$(LENGTH) CUTS=$(CUTS) REJECTED=$(REJECTED) FIRST=$(FIRST) LAST=$(LAST) .build-exhaustive/release/sluice-exhaustive
