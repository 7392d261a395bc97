# Proofs: see Tests/PROOFS.md.

.PHONY: prove-kernels prove-numbers

PROOFS := .build-proofs
# The compiler of the toolchain, which also compiles the loops for the package.
PROOF_CLANG = $(firstword $(wildcard $(dir $(shell command -v $(SWIFT)))clang) clang)
# The functions to prove, such as 'string_end plain_end'. The default is all.
KERNELS ?=

prove-kernels: $(PROOFS)/bin/python ## Prove that the loops in C have the results of definitions byte by byte, with z3: KERNELS='string_end hex_unit'
	@CLANG=$(PROOF_CLANG) Tests/Proofs/compile.sh $(PROOFS)/ir
	@$(PROOF_CLANG) -O2 -shared -fPIC -D_Nonnull= -D_Nullable= -Wno-everything -ISources/CKernels/include -o $(PROOFS)/ir/compiled.so \
		Tests/Proofs/compiled.c Sources/CKernels/structure.c
	@$(PROOFS)/bin/python Tests/Proofs/compare_kernels.py $(PROOFS)/ir $(if $(filter arm64 aarch64,$(shell uname -m)),neon,sse2) 200
	@$(PROOFS)/bin/python -u Tests/Proofs/prove_kernels.py $(PROOFS)/ir $(KERNELS)

$(PROOFS)/bin/python:
	@python3 -m venv $(PROOFS)
	@$(PROOFS)/bin/pip install --quiet --disable-pip-version-check z3-solver==5.4.1.0 >&2

prove-numbers: ## Prove the bounds of the products with powers of ten, with exact integers
	@python3 Tests/Proofs/prove_numbers.py
