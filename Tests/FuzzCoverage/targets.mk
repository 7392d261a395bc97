# Fuzzing: see README.md.

.PHONY: fuzz-sources fuzz-coders fuzz-models fuzz-models-asan fuzz-numbers build-guided fuzz-guided fuzz-corpus floats

# The duration of a fuzz run in seconds, and the number of random numbers.
SECONDS ?= 3600
NUMBERS ?= 20000000
FUZZ_LIMITS = SLUICE_FUZZ_SECONDS=$(SECONDS) SLUICE_FUZZ_SEED=$${SLUICE_FUZZ_SEED:-$$(date +%s)000}

fuzz-sources: deps-compression ## Parse random input with every source, whole and in chunks: SECONDS=600
	@$(call TEST,$(FUZZED),$(FUZZ_LIMITS)) --filter 'SourceFuzzTests|StreamFuzzTests' $(FLAGS)

fuzz-coders: deps-compression ## Compare random calls to coders with Foundation: SECONDS=600
	@$(call TEST,$(FUZZED),$(FUZZ_LIMITS)) --filter 'DecodingProgramTests|EncodingProgramTests|RandomTextTests' $(FLAGS)

# A case that crashes or does not terminate remains in the journal.
FUZZ_MODELS = journal=$(abspath $(1))/fuzz-models-case; \
	$(call TEST,$(2),$(FUZZ_LIMITS) SLUICE_FUZZ_JOURNAL=$$journal $(3)) --filter ModelFuzzTests $(FLAGS) || \
	{ [ ! -s $$journal ] || { echo "The process crashed or did not end with this case:" >&2; cat $$journal >&2; }; exit 1; }

fuzz-models: deps-compression ## Decode random documents with models that use every feature: SECONDS=600
	@$(call FUZZ_MODELS,.build-fuzz,$(FUZZED))

fuzz-models-asan: deps-compression ## Run fuzz-models under the address and leak sanitizers
	@$(call FUZZ_MODELS,.build-sanitize,$(ASAN),ASAN_OPTIONS=detect_leaks=1)

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
