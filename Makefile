# Commands for contributors. `make` without a target lists the targets.

SWIFT ?= swift
# SwiftPM 6.2 and 6.3 pass the traits to the compiler in the order of a set. Another order would compile the core again.
ORDERED := SWIFT_DETERMINISTIC_HASHING=1
# The testing library keeps the calls before each thrown error for its reports. That takes ten times as long as most of the errors.
export SWT_SWIFT_ERROR_BACKTRACING_ENABLED := 0
# The arguments of the tool, the tests or the benchmarks: make floor FLAGS=--json, make test FLAGS='--filter Paths'.
FLAGS ?=
# The size of the generated file for the demonstration.
SIZE ?= 256MB
# The seed of random documents and bytes.
SEED ?= 1
# The folder of twitter.json, canada.json and citm_catalog.json: `corpus` in the checkout or next to the checkout.
SLUICE_CORPUS ?= $(abspath $(dir $(firstword \
	$(wildcard corpus/twitter.json ../corpus/twitter.json ../*/corpus/twitter.json))))

# A build without the default traits has no macros and no system library. The separate folder keeps both builds incremental.
BARE := --disable-default-traits --scratch-path .build-bare

# All traits, for the tool and its tests. The flag replaces the default traits.
ALL := --traits Foundation,Macros,Yajl,Gzip,Zstd

# The demonstration needs neither macros nor compression. Without swift-syntax, its first build takes minutes less.
DEMO := -c release --traits Foundation,Yajl --scratch-path .build-demo

# The tool for users has compression, too.
TOOL := -c release --traits Foundation,Yajl,Gzip,Zstd --scratch-path .build-tool

# All except the macros, in a folder of its own.
WITHOUT_MACROS := --disable-xctest --disable-default-traits --traits Yajl,Foundation,Gzip,Zstd
CHECK := $(WITHOUT_MACROS) --scratch-path .build-check

SOURCES := Package.swift Sources Tests Fixtures Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Benchmarks \
	Benchmarks/Peers/Package.swift Benchmarks/Peers/Sources
# On a terminal, the build shows its progress. Otherwise only errors are printed.
QUIET := $(shell test -t 2 || echo --quiet)

# Builds the tests in the order of the traits, and runs them with random hashes: the flags, and the variables of the run.
TEST = $(ORDERED) $(SWIFT) build --build-tests $(1) $(QUIET) >&2 && $(2) $(SWIFT) test --skip-build $(1)

# The targets of folders.
MORE := Benchmarks/targets.mk Tests/Clients/targets.mk Tests/FuzzCoverage/targets.mk Tests/Kernels/targets.mk \
	Tests/Proofs/targets.mk .github/targets.mk

.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
.PHONY: help deps deps-compression tool install demo-tool demo test clients debug-speed deps-valgrind debug-counts weight \
	check coverage memory samples expansions surface format lint docs sanitize sanitize-threads sanitize-all mutants clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
	@echo "More targets, each described in the README next to the file:"
	@for file in $(MORE); do echo "  $$file: $$(sed -n 's/^\([a-z-]*\):.*## .*/\1/p' $$file | tr '\n' ' ')"; done

deps: ## Install libyajl if missing, and iso-codes for the demonstration
	@$(call INSTALL,yajl:libyajl-dev,[ -d /usr/share/iso-codes/json ] || extra=iso-codes)

# The libraries of the traits Gzip and Zstd, which are off by default. macOS has zlib.
deps-compression: deps
	@$(call INSTALL,$(if $(filter Darwin,$(shell uname)),,zlib:zlib1g-dev) libzstd:libzstd-dev)

# Installs missing libraries: names for pkg-config, each with the package of Debian, and a command that sets other packages.
define INSTALL
set -e; \
	missing=; extra=; \
	command -v pkg-config >/dev/null || missing=pkg-config; \
	for library in $(1); do \
		pkg-config --exists $${library%:*} 2>/dev/null || missing="$$missing $${library#*:}"; \
	done; \
	if command -v apt-get >/dev/null; then \
		$(or $(2),:); \
		[ -n "$$missing$$extra" ] || exit 0; \
		sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
		if [ -n "$$sudo" ] && ! command -v sudo >/dev/null; then \
			echo "Run this command as root first: apt-get install" $$missing $$extra >&2; \
			[ -z "$$missing" ]; exit; \
		fi; \
		echo Installing $$missing $$extra >&2; \
		$$sudo apt-get -qq update >&2 || true; \
		install="$$sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends"; \
		[ -z "$$missing" ] || $$install $$missing >/dev/null; \
		[ -z "$$extra" ] || $$install $$extra >/dev/null \
			|| echo "iso-codes cannot be installed. The demonstration reads excerpts instead." >&2; \
	elif command -v brew >/dev/null; then \
		[ -z "$$missing" ] || brew install --quiet $$(echo $$missing | sed 's/pkg-config/pkgconf/; s/lib\([a-z]*\)-dev/\1/g') >&2; \
	elif [ -n "$$missing" ]; then \
		echo "Install these libraries with their header files, and pkg-config, with the package manager of your" \
			"system:$$missing" >&2; \
		exit 1; \
	fi
endef

tool: deps-compression ## Build the sluice tool, which reads compressed files, too
	@$(ORDERED) $(SWIFT) build --product sluice $(TOOL) $(QUIET) >&2
	@echo "The tool is $$($(SWIFT) build --show-bin-path $(TOOL))/sluice" >&2

# Where `make install` installs the tool. DESTDIR is a folder in front, for packages.
PREFIX ?= /usr/local
DESTDIR ?=
MANUAL := .build-tool/manual

install: tool ## Install the tool, its completions and its manual page: PREFIX=/usr/local
	@$(ORDERED) $(SWIFT) build --product generate-manual $(TOOL) $(QUIET) >&2
	@set -e; \
	products=$$($(SWIFT) build --show-bin-path $(TOOL)); tool=$$products/sluice; \
	prefix="$(DESTDIR)$(PREFIX)"; bash=$$prefix/share/bash-completion/completions; \
	zsh=$$prefix/share/zsh/site-functions; fish=$$prefix/share/fish/vendor_completions.d; \
	mkdir -p $(MANUAL); \
	"$$products/generate-manual" "$$tool" --output-directory $(MANUAL) >&2; \
	install -d "$$prefix/bin" "$$bash" "$$zsh" "$$fish" "$$prefix/share/man/man1"; \
	install -m 755 "$$tool" "$$prefix/bin/sluice"; \
	install -m 644 $(MANUAL)/sluice.1 "$$prefix/share/man/man1/sluice.1"; \
	"$$tool" --generate-completion-script bash >"$$bash/sluice"; \
	"$$tool" --generate-completion-script zsh >"$$zsh/_sluice"; \
	"$$tool" --generate-completion-script fish >"$$fish/sluice.fish"; \
	echo "The tool is $$prefix/bin/sluice" >&2

demo-tool: deps
	@echo "Building the demonstration. The first build takes minutes." >&2
	@$(ORDERED) $(SWIFT) build --product sluice-demo $(DEMO) $(QUIET) >&2

demo: demo-tool ## Decode real tables and a large generated file: SIZE=4GB for a larger file
	@.build-demo/release/sluice-demo --size $(SIZE) $(FLAGS)

# With macros, SwiftPM builds the tests for the host. The tool and its copy of the core would be built for the target, too.
# The build without macros, which the tests need anyway, has the tool and one copy of the core.
BUILD_TESTS = $(ORDERED) $(SWIFT) build --product sluicePackageTests $(ALL) $(QUIET) >&2

# The tests that take long, and whose code is the same in a build without traits.
SAME := ConformanceTests|LayerTests|WorkerTests|TimeTests|AppendingTests|EncodingTapeTests

test: deps-compression ## Run the tests: FLAGS='--filter Name' for some tests
	@echo "Building the tests. The first build takes minutes, because the macros need swift-syntax." >&2
	@$(BUILD_TESTS)
	@$(SWIFT) test --skip-build $(ALL) $(FLAGS)
	@SLUICE_MEMORY=1 $(SWIFT) test --skip-build $(ALL) --filter MemoryPeakTests
	@echo "Building the tests without system libraries and macros, with the scanner as the only source." >&2
	@$(ORDERED) $(SWIFT) build --build-tests $(BARE) $(QUIET) >&2
	@$(SWIFT) test --skip-build $(BARE) --skip '$(SAME)' $(FLAGS)
	@$(MAKE) CLIENTS="$(TEST_CLIENTS)" clients debug-counts weight

# The packages in Tests/Clients, each with an executable Client. `make test` leaves out Default and OldestSyntax, which build
# swift-syntax again, and SQLite, which builds GRDB. A client can have variables with its name:
#   CLIENT_Name      options of `swift run`, such as -c release
#   UNLINKED_Name    a pattern for libraries that must not be linked
#   UNCLONED_Name    a package that must not be cloned
TEST_CLIENTS := NoMacros NoYajl Loops
CLIENTS ?= $(TEST_CLIENTS) Default OldestSyntax Live SQLite

# The client Loops has the traits of the client NoMacros. Without traits, the core is that of the tests without traits.
CLIENT_Loops := --scratch-path $(CURDIR)/Tests/Clients/NoMacros/.build
CLIENT_SQLite := -c release
CLIENT_NoYajl := --scratch-path $(CURDIR)/.build-bare

UNCLONED_NoMacros := swift-syntax
UNLINKED_NoMacros := libzstd
UNLINKED_NoYajl := libyajl|libz\.so|libzstd|libFoundation\.so

clients: $(CLIENTS:%=client/%) ## Build and run small packages that use Sluice with and without its traits

client/%: deps-compression
	@echo "The client package $*" >&2
	@$(ORDERED) $(SWIFT) run --package-path Tests/Clients/$* $(CLIENT_$*) $(QUIET) Client >&2
	@set -e; options="--package-path Tests/Clients/$* $(CLIENT_$*)"; \
	products=$$($(SWIFT) build $$options --show-bin-path); \
	if [ -n "$(UNCLONED_$*)" ] && [ -e "$$products/../../checkouts/$(UNCLONED_$*)" ]; then \
		echo "The client $* has cloned $(UNCLONED_$*)." >&2; exit 1; \
	fi; \
	if [ -n "$(UNLINKED_$*)" ] && command -v ldd >/dev/null; then \
		libraries=$$(ldd $$products/Client); \
		if echo "$$libraries" | grep -E '$(UNLINKED_$*)'; then \
			echo "The client $* is linked with a library of a trait that it does not have." >&2; exit 1; \
		fi; \
	fi

# The speed of a client without macros, whose core is built for the client NoMacros anyway.
SPEED := --package-path Tests/Clients/NoMacros --product Speed
SPEED_PROGRAM = Tests/Clients/NoMacros/.build/$(1)/Speed

debug-speed: deps-compression ## Compare debug and release builds of a client with each other and with Foundation
	@for mode in debug release; do \
		$(ORDERED) $(SWIFT) build $(SPEED) -c $$mode $(QUIET) >&2 && $(call SPEED_PROGRAM,$$mode) >Tests/Clients/NoMacros/.build/$$mode.txt \
			|| exit 1; \
	done
	@paste Tests/Clients/NoMacros/.build/debug.txt Tests/Clients/NoMacros/.build/release.txt | awk -F '\t' ' \
		BEGIN { printf "%-24s %10s %12s %10s %12s %16s\n", "MB/s", "debug", "Foundation", "release", "Foundation", "debug/release" } \
		{ printf "%-24s %10.0f %11.1fx %10.0f %11.1fx %16.2f\n", $$1, $$2, $$3, $$5, $$6, $$2 / $$5 }'

deps-valgrind: deps-compression
	@$(call INSTALL,,command -v valgrind >/dev/null || missing="$$missing valgrind"; \
		command -v strip >/dev/null || missing="$$missing binutils")

# Valgrind does not run on the processors of new Macs.
debug-counts: deps-valgrind ## Fail if a debug build of a client takes more instructions than before
	@if [ $$(uname) != Linux ]; then echo "The instructions of debug builds are counted on Linux only." >&2; exit 0; fi; \
	$(ORDERED) $(SWIFT) build $(SPEED) $(QUIET) >&2; \
	Tests/Clients/NoMacros/count.sh $(call SPEED_PROGRAM,debug) Tests/Clients/NoMacros/counts.txt >&2

# The code of a debug build is optimized, and is built for the counts.
weight: ## Fail if the machine code of the modules has grown
	@if [ $$(uname) != Linux ]; then echo "The machine code is weighed on Linux only." >&2; exit 0; fi; \
	$(ORDERED) $(SWIFT) build $(SPEED) $(QUIET) >&2; \
	Tests/Clients/NoMacros/weigh.sh $(call SPEED_PROGRAM,debug) Tests/Clients/NoMacros/weight.txt >&2

check: deps-compression ## Build without macros, and run the fast tests: the inner loop
	@$(call TEST,$(CHECK)) --filter 'SluiceCoreTests|ToolTests' --skip 'Random|Fuzz|Depth|Deep' $(FLAGS)

# The tests with counters. The program of LLVM for reports is part of the toolchain.
COVERAGE := $(WITHOUT_MACROS) --scratch-path .build-coverage
COVERED := Sources/SluiceCore Sources/SluiceCodable Sources/SluiceSchemas Sources/SluiceStreams Sources/JSONPaths Sources/ModelInference
LLVM_COV = $(firstword $(wildcard $(dir $(shell command -v $(SWIFT)))llvm-cov) llvm-cov)

coverage: deps-compression ## Measure the lines that the tests execute, by folder, and list the others in .build-coverage
	@$(call TEST,$(COVERAGE) --enable-code-coverage) $(FLAGS) >&2
	@products=$$($(SWIFT) build $(COVERAGE) --show-bin-path); \
		covered="$$products/sluicePackageTests.xctest -instr-profile $$products/codecov/default.profdata"; \
		$(LLVM_COV) export -format=lcov $$covered $(COVERED) | awk -f Tests/Coverage/uncovered.awk > .build-coverage/uncovered.txt; \
		$(LLVM_COV) report $$covered $(COVERED) | awk -f Tests/Coverage/folders.awk

memory: deps-compression ## Measure the memory of streams, whose peak must not depend on the length of the input
	@$(call TEST,$(CHECK),SLUICE_MEMORY=1) --filter MemoryPeakTests $(FLAGS)

# The old samples are removed first. A sample that does not compile would prevent the test from writing new samples.
SAMPLES := Tests/SluiceTests/Documentation/Samples
samples: deps ## Copy the samples of the documentation to the tests
	@mkdir -p $(SAMPLES) && rm -f $(SAMPLES)/*.swift
	@SLUICE_WRITE_SAMPLES=1 $(SWIFT) test $(BARE) --disable-xctest --filter DocumentationSamplesTests

expansions: deps-compression ## Rewrite the expected expansions of the macro tests
	@$(BUILD_TESTS)
	@SLUICE_WRITE_EXPANSIONS=1 $(SWIFT) test --skip-build $(ALL) --filter GoldenTests
	@git --no-pager diff --stat -- Tests/MacroTests/Golden

surface: deps-compression ## Rewrite the list of the public declarations
	@$(BUILD_TESTS)
	@SLUICE_WRITE_SURFACE=1 $(SWIFT) test --skip-build $(ALL) --filter PublicSurfaceTests
	@git --no-pager diff --stat -- Tests/SurfaceTests

format: ## Format the sources
	@$(SWIFT) format --in-place --configuration .swift-format --recursive --parallel $(SOURCES)

lint: ## Check the format of the sources
	@$(SWIFT) format lint --strict --configuration .swift-format --recursive --parallel $(SOURCES)
	@echo "The format of the sources is correct."

docs: deps ## Write the documentation to .build/docs
	@SLUICE_DOCS=1 $(ORDERED) $(SWIFT) package --allow-writing-to-directory .build/docs generate-documentation \
		--target Sluice --target SluiceCore --target SluiceCodable --target SluiceSchemas --target SluiceStreams --target JSONPaths --enable-experimental-combined-documentation \
		--warnings-as-errors --output-path .build/docs

# These targets do not need the macros, so they do not build swift-syntax.
CHECKED := --disable-xctest --disable-default-traits --traits Yajl,Gzip,Zstd
# The C code, also the inline functions that are a part of Swift code, traps on undefined behavior. Swift has traps of its own.
UNDEFINED := -Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined
ASAN := $(CHECKED) --sanitize=address $(UNDEFINED) --scratch-path .build-sanitize
ASAN_RUN := LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/leaks.txt ASAN_OPTIONS=detect_leaks=1
# `swift build` compiles a release without access for tests.
FUZZED := $(CHECKED) -c release -Xswiftc -enable-testing --scratch-path .build-fuzz

sanitize: deps-compression ## Run the tests without macros under the address, leak and undefined behavior sanitizers
	@$(call TEST,$(ASAN),$(ASAN_RUN)) $(FLAGS)

sanitize-threads: deps-compression ## Run the tests of threads under the thread sanitizer, up to the first race
	@$(call TEST,$(CHECKED) --sanitize=thread --scratch-path .build-sanitize-threads,TSAN_OPTIONS=halt_on_error=1) \
		--filter 'PlanLock|[Tt]hread|tasks|Worker|BlockingFile|KeptTests' $(FLAGS)

# All tests with all traits, in a build for each sanitizer.
SANITIZERS ?= address thread
SANITIZED_address := --disable-xctest --sanitize=address $(UNDEFINED) --scratch-path .build-asan
SANITIZED_thread := --disable-xctest --sanitize=thread --scratch-path .build-tsan
RUN_address := $(ASAN_RUN)
RUN_thread := TSAN_OPTIONS=halt_on_error=1

sanitize-all: $(SANITIZERS:%=sanitize-all/%) ## Run all tests under all sanitizers, which takes long: SANITIZERS=address
sanitize-all/%: deps-compression
	@$(ORDERED) $(SWIFT) build --product sluicePackageTests $(ALL) $(SANITIZED_$*) $(QUIET) >&2
	@$(RUN_$*) $(SWIFT) test --skip-build $(ALL) $(SANITIZED_$*) $(FLAGS)

# The program is a package of its own. The copy with the faults, its build and the results are in the same folder.
MUTANTS := .build-mutants

mutants: deps-compression ## Measure which small faults of the sources the tests find: FLAGS='--folder Text --sample 500 --seed 1'
	@$(SWIFT) build --package-path Tests/Mutants --scratch-path $(MUTANTS)/program --product mutants $(QUIET) >&2
	@$(MUTANTS)/program/debug/mutants --scratch $(MUTANTS) --swift $(SWIFT) $(FLAGS)

clean: ## Remove build products and generated files
	@rm -rf .build .build-asan .build-tsan .build-bare .build-check .build-coverage .build-demo .build-exhaustive .build-fuzz .build-guided .build-kernels .build-models .build-mutants .build-proofs .build-sanitize .build-sanitize-threads .build-schema .build-tool .build-tool-peers Benchmarks/.build Benchmarks/Peers/.build Fixtures/generated Tests/Clients/*/.build \
		Tests/Clients/Models/Sources/Client/Generated

include $(MORE)
