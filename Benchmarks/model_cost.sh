#!/bin/bash
# Compiles the same models with @JSONModel and as Codable types, and prints the time of the processor and the size of their code:
# Benchmarks/model_cost.sh [number of models] [file of results]. A model has ten properties, of which one is a nested model of its own.
# The file has the form of those that `charts draw` reads.
set -euo pipefail

count=${1:-200}
results=${2:+$(realpath "$2")}
root=$(cd "$(dirname "$0")/.." && pwd)
package=$root/.build-models
swift=${SWIFT:-swift}
export SWIFT_DETERMINISTIC_HASHING=1

# Prints the models. The arguments are the text before `struct` and the text after the name.
models() {
	for ((index = 0; index < count; index++)); do
		cat <<-MODEL
			$1
			public struct Model$index$2 {
			    public let id: Int
			    public let name: String
			    public let price: Double
			    public let isActive: Bool
			    public let tags: [String]
			    public let note: String?
			    public let count: Int
			    public let scores: [Double]
			    public let city: String
			    public let detail: Detail$index
			}

			$1
			public struct Detail$index$2 {
			    public let key: String
			    public let value: Int
			}
		MODEL
	done
}

mkdir -p "$package/Sources/"{Base,Plans,Codables}
cat >"$package/Package.swift" <<-MANIFEST
	// swift-tools-version: 6.2
	import PackageDescription

	let sluice: Target.Dependency = .product(name: "Sluice", package: "sluice")
	let package = Package(
	    name: "models",
	    platforms: [.macOS(.v15)],
	    dependencies: [.package(name: "sluice", path: "$root", traits: ["Foundation", "Macros"])],
	    targets: [
	        .target(name: "Base", dependencies: [sluice]),
	        .target(name: "Plans", dependencies: [sluice]),
	        .target(name: "Codables"),
	    ]
	)
MANIFEST
echo "import Sluice" >"$package/Sources/Base/Base.swift"
{ echo "import Sluice"; models "@JSONModel" ""; } >"$package/Sources/Plans/Models.swift"
models "" ": Codable" >"$package/Sources/Codables/Models.swift"

# Prints the seconds of the processor that a build takes.
build() {
	local TIMEFORMAT='%U %S'
	{ time "$swift" build --package-path "$package" "$@" --quiet >&3 2>&3; } 3>&2 2>&1 | awk '{ print $1 + $2 }'
}

# Prints the conditions of the measurement.
conditions() {
	local processor version
	processor=$(awk -F ': ' '/^model name/ { print $2; exit }' /proc/cpuinfo 2>/dev/null || true)
	version=$("$swift" --version 2>/dev/null | grep -o 'Swift version [0-9.]*' | head -1)
	printf '{"machine":"%s, %s cores, %s, %s","command":"Scripts/measure.sh model-cost","date":"%s"}\n' "${processor:-an unnamed processor}" \
		"$(getconf _NPROCESSORS_ONLN)" "$(uname -s)" "${version/ version/}" "$(date +%Y-%m-%d)"
}

rows=
for mode in debug release; do
	echo "Building Sluice. The first build takes minutes." >&2
	build -c $mode --target Base >/dev/null
	planning=$(build -c $mode --target Base)
	for target in Plans Codables; do
		if [ -d "$package/.build/$mode/$target.build" ]; then
			find "$package/.build/$mode/$target.build" -name 'Models*' -delete
		fi
		seconds=$(build -c $mode --target $target)
		bytes=$(size "$package/.build/$mode/$target.build/"*.o | awk 'NR > 1 { sum += $1 } END { print sum }')
		awk -v mode=$mode -v target=$target -v seconds=$seconds -v planning=$planning -v bytes=$bytes -v count=$count 'BEGIN {
			printf "%-8s %-9s %d models  %5.1f s  %5.2f MB  %5.1f KB per model\n",
				mode, target, count, seconds - planning, bytes / 1e6, bytes / 1e3 / count }'
		rows+=$(awk -v mode=$mode -v target=$target -v seconds=$seconds -v planning=$planning -v bytes=$bytes -v count=$count 'BEGIN {
			printf "{\"mode\":\"%s\",\"type\":\"%s\",\"seconds\":%.1f,\"code_bytes_per_model\":%d}",
				mode, target, seconds - planning, bytes / count }')$'\n'
	done
done
if [ -n "$results" ]; then { conditions; printf '%s' "$rows"; } >"$results"; fi
