import Testing

// The features of tests, for `.tags(…)` of suites. Tests/README.md says how to run the tests of a feature.
extension Tag {
    @Tag public static var classes: Self
    @Tag public static var coercion: Self
    @Tag public static var collections: Self
    @Tag public static var cuts: Self
    @Tag public static var embedded: Self
    @Tag public static var encoding: Self
    @Tag public static var enums: Self
    @Tag public static var errors: Self
    @Tag public static var extraKeys: Self
    @Tag public static var fallbacks: Self
    @Tag public static var files: Self
    @Tag public static var flatten: Self
    @Tag public static var framing: Self
    @Tag public static var hooks: Self
    @Tag public static var keys: Self
    @Tag public static var lazy: Self
    @Tag public static var limits: Self
    @Tag public static var locations: Self
    @Tag public static var lossy: Self
    @Tag public static var merging: Self
    @Tag public static var paths: Self
    @Tag public static var replay: Self
    @Tag public static var schemas: Self
    @Tag public static var stack: Self
    @Tag public static var streams: Self
    @Tag public static var time: Self
    @Tag public static var transforms: Self
    @Tag public static var unknownKeys: Self
    @Tag public static var workers: Self
}
