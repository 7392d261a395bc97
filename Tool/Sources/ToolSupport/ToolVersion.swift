/// The version of the package, as printed by `sluice --version`. A release changes this version and CHANGELOG.md.
package enum ToolVersion {
    package static let current = "0.1.0"
}
