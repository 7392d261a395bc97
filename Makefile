# Commands for contributors. `make` without a target lists the targets.

SWIFT ?= swift
# SwiftPM 6.2 and 6.3 pass the traits to the compiler in the order of a set. Another order would compile the core again.
ORDERED := SWIFT_DETERMINISTIC_HASHING=1
# The arguments of the tool, the tests or the benchmarks: make floor FLAGS=--json, make test FLAGS='--filter Paths'.
FLAGS ?=
# The size of the generated file for the demonstration.
SIZE ?= 256MB
# The sizes of the generated fixtures.
SIZES ?= 1MB 16MB 256MB
# The folder of twitter.json, canada.json and citm_catalog.json: `corpus` in the checkout or next to the checkout.
SLUICE_CORPUS ?= $(abspath $(dir $(firstword \
	$(wildcard corpus/twitter.json ../corpus/twitter.json ../*/corpus/twitter.json))))
floor instructions check-counts accept-counts charts bench peers: export SLUICE_CORPUS := $(SLUICE_CORPUS)

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

.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
.PHONY: help deps deps-compression deps-valgrind deps-sqlite deps-spark tool demo-tool demo test check coverage memory build-floor build-guided floor \
	instructions check-counts accept-counts charts bench peers fixtures samples expansions surface format lint docs sanitize sanitize-threads fuzz-sources \
	fuzz-models fuzz-models-asan fuzz-numbers fuzz-guided fuzz-corpus floats test-kernels kernel-counts model-tests clients debug-speed debug-counts client-sqlite client-network client-server \
	client-spark client-schema sbom release-check mutants clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

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

# The same tool without compression.
demo-tool: deps
	@echo "Building the sluice tool. The first build takes minutes." >&2
	@$(ORDERED) $(SWIFT) build --product sluice $(DEMO) $(QUIET) >&2

demo: demo-tool ## Decode real tables and a large generated file: SIZE=4GB for a larger file
	@.build-demo/release/sluice demo --size $(SIZE) $(FLAGS)

# With macros, SwiftPM builds the tests for the host. The tool and its copy of the core would be built for the target, too.
# The build without macros, which the tests need anyway, has the tool and one copy of the core.
BUILD_TESTS = $(ORDERED) $(SWIFT) build --product sluicePackageTests $(ALL) $(QUIET) >&2

test: deps-compression ## Run the tests: FLAGS='--filter Name' for some tests
	@echo "Building the tests. The first build takes minutes, because the macros need swift-syntax." >&2
	@$(BUILD_TESTS)
	@$(SWIFT) test --skip-build $(ALL) $(FLAGS)
	@SLUICE_MEMORY=1 $(SWIFT) test --skip-build $(ALL) --filter MemoryPeakTests
	@echo "Building the tests without system libraries and macros, with the scanner as the only source." >&2
	@$(ORDERED) $(SWIFT) build --build-tests $(BARE) $(QUIET) >&2
	@$(SWIFT) test --skip-build $(BARE) $(FLAGS)
	@$(MAKE) CLIENTS="$(TEST_CLIENTS)" clients debug-counts

# The packages in Tests/Clients, each with an executable Client. `make test` leaves out Default and OldestSyntax, which build
# swift-syntax again, and SQLite, which builds GRDB. A client can have variables with its name:
#   CLIENT_Name      options of `swift run`, such as -c release
#   UNLINKED_Name    a pattern for libraries that must not be linked
#   UNCLONED_Name    a package that must not be cloned
TEST_CLIENTS := NoMacros NoYajl Loops
CLIENTS ?= $(TEST_CLIENTS) Default OldestSyntax SQLite

# The client Loops is for faults of the optimizer. Without traits, the core is that of the tests without traits.
CLIENT_Loops := -c release
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

client-sqlite: client/SQLite ## Import 256 MB into SQLite with GRDB, kill the import and continue it

client/SQLite: deps-sqlite

deps-sqlite: deps
	@$(call INSTALL,$(if $(filter Darwin,$(shell uname)),,sqlite3:libsqlite3-dev))

# The models of real files: each file is decoded with the models that the tool has written for it, and encoded.
MODELS := Tests/Clients/Models
CORPUS := twitter.json canada.json citm_catalog.json github_events.json

# The client is not started by `swift run`: the memory of its child processes, which it measures, would include the compilers.
model-tests: tool ## Infer the models of real files, compile them, and compare the encoded values, which takes minutes
	@set -e; files=$$(ls /usr/share/iso-codes/json/iso_*.json 2>/dev/null || ls Fixtures/iso_*.json); \
	files="$$files $$(ls Fixtures/Models/*.json)"; \
	if [ -n "$(SLUICE_CORPUS)" ]; then \
		for file in $(CORPUS); do \
			[ -e "$(SLUICE_CORPUS)/$$file" ] || { echo "$(SLUICE_CORPUS) lacks $$file." >&2; exit 1; }; \
			files="$$files $(SLUICE_CORPUS)/$$file"; \
		done; \
	else \
		echo "SLUICE_CORPUS is not set: $(CORPUS) are skipped." >&2; \
	fi; \
	tool=$$($(SWIFT) build --show-bin-path $(TOOL))/sluice; \
	mkdir -p $(MODELS)/.build; \
	$$tool generate --size 4MB --output $(MODELS)/.build/records.json; \
	$(MODELS)/generate.sh $$tool $(CURDIR)/$(MODELS)/.build/inputs $(MODELS)/Sources/Client/Generated \
		$$files $(CURDIR)/$(MODELS)/.build/records.json
	@$(ORDERED) $(SWIFT) build --package-path $(MODELS) $(QUIET) >&2
	@$$($(SWIFT) build --package-path $(MODELS) --show-bin-path)/Client $(CURDIR)/$(MODELS)/.build/inputs \
		$$($(SWIFT) build --show-bin-path $(TOOL))/sluice

client-network: ## Build and run the samples of AsyncHTTPClient and SwiftNIO, which takes minutes
	@$(ORDERED) $(SWIFT) run --package-path Tests/Clients/Network $(QUIET) Client

# An upload has 64 MB unless SIZE is set. The default of SIZE is that of the demonstration.
CLIENT_Server := -c release
UPLOAD := $(if $(filter command environment,$(word 1,$(origin SIZE))),$(SIZE))

client-server: deps-sqlite ## Upload JSON to a server, which stores it in SQLite, and download it in flat memory: SIZE=1GB
	@echo "Building the client. The first build takes minutes." >&2
	@$(ORDERED) $(SWIFT) run --package-path Tests/Clients/Server $(CLIENT_Server) $(QUIET) Client $(UPLOAD)

# PySpark with all of its Java libraries is in the client's folder.
SPARK := Tests/Clients/Spark
PYSPARK := $(SPARK)/.build/pyspark
CLIENT_Spark := -c release

client-spark: deps-spark $(PYSPARK)/bin/spark-submit ## Aggregate ranges of files with PySpark, which takes minutes: SIZE=64MB
	@echo "Building the client and the sluice tool. The first build takes minutes." >&2
	@$(ORDERED) $(SWIFT) build --package-path $(SPARK) $(CLIENT_Spark) $(QUIET) >&2
	@products=$$($(SWIFT) build --package-path $(SPARK) $(CLIENT_Spark) --show-bin-path); \
		$(PYSPARK)/bin/python $(SPARK)/spark_client.py $$products/Client $$products/sluice $(SIZE)

$(PYSPARK)/bin/spark-submit: | deps-spark
	@echo "Installing PySpark into $(PYSPARK), which takes about 500 MB." >&2
	@python3 -m venv $(PYSPARK)
	@$(PYSPARK)/bin/pip install --quiet --disable-pip-version-check 'pyspark>=4,<5' >&2

# A Java runtime, modules of Python that Debian has in packages of their own, and ps for the check of a killed executor.
deps-spark:
	@$(call INSTALL,,command -v java >/dev/null || missing="$$missing openjdk-17-jre-headless"; \
		python3 -c 'import ensurepip' 2>/dev/null || missing="$$missing python3-venv"; \
		command -v ps >/dev/null || missing="$$missing procps")

# The packages of Python are in a folder of their own. hypothesis-jsonschema does not work with later versions of hypothesis.
SCHEMA := .build-schema
CLIENT_Schema := --scratch-path $(CURDIR)/.build-bare

client-schema: deps-schema $(SCHEMA)/bin/hypothesis ## Compare schemas with the verdicts of jsonschema on random documents: SEED=7
	@$(ORDERED) $(SWIFT) build --package-path Tests/Clients/Schema $(CLIENT_Schema) $(QUIET) >&2
	@products=$$($(SWIFT) build --package-path Tests/Clients/Schema $(CLIENT_Schema) --show-bin-path); \
		$(SCHEMA)/bin/python Tests/Clients/Schema/schema_tests.py $$products/Client --seed $(SEED) $(FLAGS)

$(SCHEMA)/bin/hypothesis: | deps-schema
	@python3 -m venv $(SCHEMA)
	@$(SCHEMA)/bin/pip install --quiet --disable-pip-version-check \
		'jsonschema>=4,<5' 'hypothesis-jsonschema==0.23.1' 'hypothesis==6.100.0' >&2

deps-schema:
	@$(call INSTALL,,python3 -c 'import ensurepip' 2>/dev/null || missing="$$missing python3-venv")

check: deps-compression ## Build without macros, and run the fast tests: the inner loop
	@$(call TEST,$(CHECK)) --filter 'SluiceCoreTests|ToolTests' --skip 'Random|Fuzz|Depth|Deep' $(FLAGS)

# The tests with counters. The program of LLVM for reports is part of the toolchain.
COVERAGE := $(WITHOUT_MACROS) --scratch-path .build-coverage
COVERED := Sources/SluiceCore Sources/JSONPaths Sources/ModelInference
LLVM_COV = $(firstword $(wildcard $(dir $(shell command -v $(SWIFT)))llvm-cov) llvm-cov)

coverage: deps-compression ## Measure the lines that the tests execute, by folder, and list the others in .build-coverage
	@$(call TEST,$(COVERAGE) --enable-code-coverage) $(FLAGS) >&2
	@products=$$($(SWIFT) build $(COVERAGE) --show-bin-path); \
		covered="$$products/sluicePackageTests.xctest -instr-profile $$products/codecov/default.profdata"; \
		$(LLVM_COV) export -format=lcov $$covered $(COVERED) | awk -f Tests/Coverage/uncovered.awk > .build-coverage/uncovered.txt; \
		$(LLVM_COV) report $$covered $(COVERED) | awk -f Tests/Coverage/folders.awk

memory: deps-compression ## Measure the memory of streams, whose peak must not depend on the length of the input
	@$(call TEST,$(CHECK),SLUICE_MEMORY=1) --filter MemoryPeakTests $(FLAGS)

# The program of the benchmarks.
build-floor: deps
	@echo "Building the benchmarks. The first build takes minutes, because the macros need swift-syntax." >&2
	@$(ORDERED) $(SWIFT) build --package-path Benchmarks -c release --product floor $(QUIET) >&2

floor: build-floor ## Compare with bare yajl and Foundation: FLAGS=--json, --memory, --only NAME
	@Benchmarks/.build/release/floor $(FLAGS)

instructions: build-floor ## Count the instructions of the benchmarks with valgrind: FLAGS='--row canada'
	@Benchmarks/.build/release/floor --instructions $(FLAGS)

# The counts that `make instructions` printed when they were accepted.
COUNTS := Benchmarks/Results/instructions.jsonl

check-counts: build-floor ## Fail if a benchmark takes more instructions or allocations than before
	@Benchmarks/.build/release/floor --instructions --limits $(COUNTS) $(FLAGS)

accept-counts: build-floor ## Accept the instructions and allocations of all benchmarks
	@Benchmarks/.build/release/floor --instructions --json >$(COUNTS).new && mv $(COUNTS).new $(COUNTS)

# With FLAGS='--only memory', one kind of measurement. The results that exist are drawn.
charts: build-floor ## Measure, and draw charts into Benchmarks/Charts, which takes minutes
	@$(SWIFT) build --package-path Benchmarks -c release --product charts $(QUIET) >&2
	@Benchmarks/.build/release/charts measure Benchmarks/.build/release/floor Benchmarks/Results $(FLAGS)
	@Benchmarks/.build/release/charts draw Benchmarks/Results Benchmarks/Charts

bench: deps ## Measure Sluice alone, to compare runs
	@$(SWIFT) package --package-path Benchmarks benchmark $(if $(QUIET),--no-progress) $(FLAGS)

peers: deps ## Compare with other packages for JSON, which are cloned and built: FLAGS=--json
	@echo "Building the other packages. The first build takes minutes." >&2
	@$(ORDERED) $(SWIFT) build --package-path Benchmarks/Peers -c release $(QUIET) >&2
	@set -e; for peer in swift-yyjson ikigajson reerjson; do \
		$$($(SWIFT) build --package-path Benchmarks/Peers -c release --show-bin-path)/peer-$$peer $(FLAGS); \
	done

fixtures: demo-tool ## Generate records into Fixtures/generated: SIZES='1MB 4GB'
	@mkdir -p Fixtures/generated
	@for size in $(SIZES); do \
		.build-demo/release/sluice generate --size $$size --output Fixtures/generated/records-$$size.json || exit; \
	done

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
	@SLUICE_DOCS=1 $(SWIFT) package --allow-writing-to-directory .build/docs generate-documentation \
		--target Sluice --target SluiceCore --target JSONPaths --enable-experimental-combined-documentation \
		--warnings-as-errors --output-path .build/docs

# These targets do not need the macros, so they do not build swift-syntax.
CHECKED := --disable-xctest --disable-default-traits --traits Yajl,Gzip,Zstd
ASAN := $(CHECKED) --sanitize=address --scratch-path .build-asan
# `swift build` compiles a release without access for tests.
FUZZED := $(CHECKED) -c release -Xswiftc -enable-testing --scratch-path .build-fuzz

sanitize: deps-compression ## Run the core and conformance tests under the address and leak sanitizers
	@$(call TEST,$(ASAN),LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/leaks.txt ASAN_OPTIONS=detect_leaks=1) $(FLAGS)

sanitize-threads: deps-compression ## Run the tests of threads under the thread sanitizer, up to the first race
	@$(call TEST,$(CHECKED) --sanitize=thread --scratch-path .build-tsan,TSAN_OPTIONS=halt_on_error=1) \
		--filter 'PlanLock|[Tt]hread|tasks|Worker|BlockingFile|KeptTests' $(FLAGS)

# The duration of a fuzz run in seconds, and the number of random numbers.
SECONDS ?= 3600
NUMBERS ?= 20000000
FUZZ_LIMITS = SLUICE_FUZZ_SECONDS=$(SECONDS) SLUICE_FUZZ_SEED=$${SLUICE_FUZZ_SEED:-$$(date +%s)000}

fuzz-sources: deps-compression ## Parse random input with every source, whole and in chunks: SECONDS=600
	@$(call TEST,$(FUZZED),$(FUZZ_LIMITS)) --filter SourceFuzzTests $(FLAGS)

# A case that crashes or does not terminate remains in the journal.
FUZZ_MODELS = journal=$(abspath $(1))/fuzz-models-case; \
	$(call TEST,$(2),$(FUZZ_LIMITS) SLUICE_FUZZ_JOURNAL=$$journal $(3)) --filter ModelFuzzTests $(FLAGS) || \
	{ [ ! -s $$journal ] || { echo "The process crashed or did not end with this case:" >&2; cat $$journal >&2; }; exit 1; }

fuzz-models: deps-compression ## Decode random documents with models that use every feature: SECONDS=600
	@$(call FUZZ_MODELS,.build-fuzz,$(FUZZED))

fuzz-models-asan: deps-compression ## Run fuzz-models under the address and leak sanitizers
	@$(call FUZZ_MODELS,.build-asan,$(ASAN),ASAN_OPTIONS=detect_leaks=1)

fuzz-numbers: deps-compression ## Compare random numbers with the standard library: NUMBERS=1000000
	@$(call TEST,$(FUZZED),SLUICE_NUMBER_CASES=$(NUMBERS) SLUICE_NUMBER_SEED=$${SLUICE_NUMBER_SEED:-$$(date +%s)}) \
		--filter 'Float|Integer' $(FLAGS)

# Fuzzing with coverage. libFuzzer is part of the toolchains for Linux. The entries are those of FuzzEntry. A run begins with the
# kept cases, of which a file has one on each line in Base64, and keeps its cases in the folder of the build.
ENTRY ?= decoding
GUIDED := .build-guided
GUIDED_CASES = $(GUIDED)/cases/$(ENTRY)
LIBFUZZER = $(shell $(SWIFT)c -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')/clang/lib/linux/libclang_rt.fuzzer_no_main-$(shell uname -m).a
GUIDED_BUILD = --product sluice-fuzz -c release --disable-default-traits --traits Yajl,Gzip,Zstd --scratch-path $(GUIDED)
# libFuzzer keeps the bytes of a crash only if Swift does not handle the signal.
GUIDED_RUN = SWIFT_BACKTRACE=enable=no SLUICE_FUZZ_ENTRY=$(ENTRY) $(GUIDED)/release/sluice-fuzz -max_len=2048 -timeout=20 -artifact_prefix=$(GUIDED)/$(ENTRY)-

build-guided: deps-compression
	@SLUICE_LIBFUZZER=$(LIBFUZZER) $(ORDERED) $(SWIFT) build $(GUIDED_BUILD) $(QUIET) >&2
	@mkdir -p $(GUIDED_CASES)
	@number=0; while read -r line; do \
		number=$$((number + 1)); printf %s "$$line" | base64 -d > $(GUIDED_CASES)/kept-$$number; \
	done < Fixtures/Fuzz/$(ENTRY).txt

fuzz-guided: build-guided ## Fuzz one entry with libFuzzer, which follows the covered code: ENTRY=writing, SECONDS=600
	@$(GUIDED_RUN) -dict=Tests/FuzzCoverage/json.dict -max_total_time=$(SECONDS) -print_final_stats=1 $(FLAGS) $(GUIDED_CASES)

# The merge keeps few and small cases that execute the same edges, however often.
fuzz-corpus: build-guided ## Keep the smallest of the cases that cover the same code in Fixtures/Fuzz: ENTRY=writing
	@rm -rf $(GUIDED)/merged && mkdir $(GUIDED)/merged
	@$(GUIDED_RUN) -merge=1 -set_cover_merge=1 -use_counters=0 $(FLAGS) $(GUIDED)/merged $(GUIDED_CASES) 2>&1 | tail -1
	@for file in $(GUIDED)/merged/*; do base64 -w 0 "$$file"; echo; done | LC_ALL=C sort > Fixtures/Fuzz/$(ENTRY).txt
	@wc -lc Fixtures/Fuzz/$(ENTRY).txt

floats: deps-compression ## Write and read every float, and the numbers halfway between floats, which takes long
	@$(call TEST,$(FUZZED),SLUICE_EVERY_FLOAT=1) --filter EveryFloatTests $(FLAGS)

# The seed of the random bytes, and the commands for arm64 on other processors.
SEED ?= 1
CROSS_CC ?= aarch64-linux-gnu-gcc
CROSS_RUN ?= qemu-aarch64

# Builds and runs the test with vector code, and without for the parts in C that other processors use.
TEST_KERNELS = for variant in vectors portable; do \
		flags=; [ $$variant = vectors ] || flags="-U__SSE2__ -U__ARM_NEON"; \
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

sbom: ## Print the packages and system libraries in use, as a bill of materials in the format CycloneDX
	@$(SWIFT) package resolve >&2
	@python3 .ci/sbom.py

# The notes are the section of the version in the changelog.
release-check: ## Compare the version, the changelog and a tag, and print the notes of a release: VERSION=0.1.0
	@version=$$(sed -n 's/.*current = "\(.*\)"/\1/p' Sources/ToolSupport/ToolVersion.swift); \
	[ "$$version" = "$(VERSION)" ] || { echo "The version of the tool is $$version, not $(VERSION)." >&2; exit 1; }
	@! awk '/^## /{ inside = /^## \[Unreleased\]/; next } inside && NF' CHANGELOG.md | grep -q . \
		|| { echo "The section Unreleased of CHANGELOG.md is not empty." >&2; exit 1; }
	@notes=$$(awk '/^## /{ inside = index($$0, "## [$(VERSION)] - ") == 1; next } inside' CHANGELOG.md); \
	[ -n "$$notes" ] || { echo "CHANGELOG.md has no section for $(VERSION)." >&2; exit 1; }; \
	printf '%s\n' "$$notes"

# The program is a package of its own. The copy with the faults, its build and the results are in the same folder.
MUTANTS := .build-mutants

mutants: deps-compression ## Measure which small faults of the sources the tests find: FLAGS='--folder Text --sample 500 --seed 1'
	@$(SWIFT) build --package-path Tests/Mutants --scratch-path $(MUTANTS)/program --product mutants $(QUIET) >&2
	@$(MUTANTS)/program/debug/mutants --scratch $(MUTANTS) --swift $(SWIFT) $(FLAGS)

clean: ## Remove build products and generated files
	@rm -rf .build .build-asan .build-tsan .build-bare .build-check .build-coverage .build-demo .build-fuzz .build-guided .build-kernels .build-mutants .build-schema .build-tool Benchmarks/.build Benchmarks/Peers/.build Fixtures/generated Tests/Clients/*/.build \
		Tests/Clients/Models/Sources/Client/Generated
