# Proofs and exhaustive tests: see Tests/PROOFS.md.

.PHONY: prove-kernels prove-numbers model-workers exhaustive

PROOFS := .build-proofs
# The compiler of the toolchain, which also compiles the loops for the package.
PROOF_CLANG = $(firstword $(wildcard $(dir $(shell command -v $(SWIFT)))clang) clang)
# The functions to prove, such as 'string_end plain_end'. The default is all.
KERNELS ?=

prove-kernels: $(PROOFS)/bin/python ## Prove that the loops in C have the results of definitions byte by byte, with z3: KERNELS='string_end hex_unit'
	@CLANG=$(PROOF_CLANG) Tests/Proofs/compile.sh $(PROOFS)/ir
	@$(PROOF_CLANG) -O2 -shared -fPIC -D_Nonnull= -D_Nullable= -Wno-everything -ISources/CKernels/include -o $(PROOFS)/ir/compiled.so \
		Tests/Proofs/compiled.c Sources/CKernels/structure.c Sources/CKernels/lines.c
	@$(PROOFS)/bin/python Tests/Proofs/compare_kernels.py $(PROOFS)/ir $(if $(filter arm64 aarch64,$(shell uname -m)),neon,sse2) 200
	@$(PROOFS)/bin/python -u Tests/Proofs/prove_kernels.py $(PROOFS)/ir $(KERNELS)

$(PROOFS)/bin/python:
	@python3 -m venv $(PROOFS)
	@$(PROOFS)/bin/pip install --quiet --disable-pip-version-check z3-solver==5.4.1.0 >&2

prove-numbers: ## Prove the bounds of the products with powers of ten, with exact integers
	@python3 Tests/Proofs/prove_numbers.py

model-workers: ## Examine every interleaving of a stream and its worker threads, in a model
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
