/// The version of the package, which `sluice --version` prints. A release changes it together with CHANGELOG.md.
package enum ToolVersion {
    package static let current = "0.1.0"
}
