/// The types that cases are made of.
enum FuzzPool {
    static let subjects: [any FuzzSubject] = scalars + unions + objects + wrapped + chains + combined

    private static let scalars: [any FuzzSubject] = [
        Subject(Signalled<Internal>.self), Subject(Signalled<Adjacent>.self),
        Subject(Numbers.self), Subject(Assorted.self), Subject(Converting.self), Subject(Converted.self),
        Subject(Wide.self), Subject(Paths.self),
    ]

    private static let unions: [any FuzzSubject] = [
        Subject(Shape<External, NoFallback>.self), Subject(Shape<External, TagFallback>.self),
        Subject(Shape<External, WholeFallback>.self), Subject(Shape<Internal, NoFallback>.self),
        Subject(Shape<Internal, PlainFallback>.self), Subject(Shape<Internal, TagFallback>.self),
        Subject(Shape<Internal, WholeFallback>.self), Subject(Shape<Adjacent, NoFallback>.self),
        Subject(Shape<Adjacent, PlainFallback>.self), Subject(Shape<Adjacent, WholeFallback>.self),
        Subject(Shape<Adjacent, TagFallback>.self), Subject(Shape<External, PlainFallback>.self),
        Subject(Shape<Untagged, TagFallback>.self), Subject(Shape<Untagged, WholeFallback>.self),
        Subject(Shape<Untagged, NoFallback>.self), Subject(Content<External>.self), Subject(Content<Adjacent>.self),
        Subject(Content<Untagged>.self), Subject([Branch<Internal, NoFallback>].self),
        Subject([String: Branch<Adjacent, TagFallback>].self),
        Subject(Beacon<External, NoFallback>.self), Subject(Beacon<External, PlainFallback>.self),
        Subject(Beacon<Internal, PlainFallback>.self), Subject(Beacon<Adjacent, PlainFallback>.self),
        Subject(Beacon<Internal, NoFallback>.self), Subject(Beaconed<External, NoFallback>.self),
        Subject(Beaconed<Internal, NoFallback>.self), Subject(Beaconed<Internal, PlainFallback>.self),
        Subject(Beaconed<Adjacent, NoFallback>.self), Subject(Beaconed<Adjacent, PlainFallback>.self),
    ]

    private static let objects: [any FuzzSubject] = [
        Subject(TrackedNode.self), Subject(Account.self), Subject(Animal.self), Subject(Dog.self),
        Subject(Span.self), Subject(Hooked.self), Subject(Transformed.self), Subject(Flattening.self),
        Subject(Extra.self), Subject(Closed.self), Subject(Reporting.self), Subject(Named.self),
        Subject(Snake.self), Subject(Enveloped<Internal, NoFallback>.self),
        Subject([Enveloped<Adjacent, TagFallback>].self), Subject(Enveloped<Internal, WholeFallback>.self),
        Subject(Enveloped<External, TagFallback>.self), Subject(Enveloped<Adjacent, WholeFallback>.self),
    ]

    private static let wrapped: [any FuzzSubject] = [
        Subject(Lossy.self), Subject(Keyed.self), Subject([Keyed].self), Subject(Collections.self),
        Subject(Gathering.self), Subject(WholeAndParts.self),
        Subject(Pairing.self),
        Subject(Wrapped.self), Subject(Defaulting.self), Subject([Marked?].self), Subject([Int: Hooked].self),
        Subject(Arriving.self), Subject(Membered.self), Subject(Mismatching.self),
        Subject(Draft.self), Subject(Draft.Partial.self), Subject([Draft.Partial].self),
        Subject([String: Draft.Partial].self), Subject(Loose.self), Subject([Loose].self),
        Subject([Block<Internal>].self), Subject(Block<External>.Note.self),
        Subject([String: Block<Adjacent>].self),
    ]

    private static let chains: [any FuzzSubject] = [
        Subject(Choice.self),
        Subject(Shape<Internal, NoFallback>.self, "in chains") { Chain.shape(Internal.self, $0) },
        Subject(Shape<Adjacent, NoFallback>.self, "in chains") { Chain.shape(Adjacent.self, $0) },
        Subject(Shape<Untagged, NoFallback>.self, "in chains") { Chain.shape(Untagged.self, $0) },
        Subject(Hooked.self, "in chains") { Chain.hooked($0) },
        Subject(Lossy.self, "in chains") { Chain.lossy($0) },
    ]

    private static let combined: [any FuzzSubject] = [
        Subject(Combined.self), Subject(Combined.self), Subject([Combined].self),
        Subject([String: Combined].self),
    ]
}
