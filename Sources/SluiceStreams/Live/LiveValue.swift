// The value as far as it is read, for readers that follow the input.
//
// The driver has the parts of an open value in frames, element buffers and fields, from which the value is made at its end. A live value
// follows the driver: each look walks along the open containers, and tells a reader what came since the last look of this reader. What is
// complete is copied once, and shared with the driver.
//
// The readers are two copies of the value, and one that collects changes. A caller may keep the value of a look. Changes of a value whose
// arrays, dictionaries and strings are shared copy them. Therefore the copies are advanced in turn: the one that was returned two looks ago
// is usually no longer in use.

import SluiceCore

/// Follows the value that a driver makes.
///
/// A value can be followed if its open containers are arrays, dictionaries, models that have all required values and no hooks, and enums
/// with the payload of such a model. An open part of another type is made as a whole at each look.
final class LiveValue {
    /// An open container that is followed.
    private struct Level {
        var form: LiveForm
        /// The position of the frame on the driver's stack.
        let index: Int
    }

    /// The open containers that were followed at the last look, from the outermost. The frames are the same as long as they are marked as
    /// followed, which new frames are not.
    @exclusivity(unchecked) private var levels: [Level] = []
    private let copies: (first: LiveCopy, second: LiveCopy)
    /// Whether the next look advances the second copy.
    @exclusivity(unchecked) private var isSecondNext = false
    /// The reader of changes; nil before the first call.
    @exclusivity(unchecked) private var changeReader: ChangeReader?
    /// The forms of the types whose containers were open; nil for types that cannot be followed.
    @exclusivity(unchecked) private var forms: [LayoutReference: LiveForm?] = [:]
    private unowned(unsafe) let document: DocumentSnapshots

    /// Creates values that follow the open value of a driver, and the next elements of a stream. Returns nil if no value is open.
    init?(following driver: borrowing Driver, of document: DocumentSnapshots) {
        guard let layout = driver.firstValueFrame?.layout else { return nil }
        copies = (LiveCopy(layout, document), LiveCopy(layout, document))
        self.document = document
    }

    /// The copy that the next look advances.
    private var next: LiveCopy { isSecondNext ? copies.second : copies.first }

    // MARK: Readers

    /// Returns the value as far as it is read; nil if the value cannot be followed.
    ///
    /// - Parameter token: The token that is not complete yet.
    func look(_ driver: borrowing Driver, _ token: OpenToken) -> LiveCopy? {
        guard let rest = prepare(driver, token) else { return nil }
        let copy = next
        isSecondNext.toggle()
        copy.begin(
            levels[0].form, driver.openFrame(at: levels[0].index), rest, hasText: driver.isReadingText(token))
        advance(copy, driver, rest)
        copy.end()
        return copy
    }

    /// Returns the text so far of the open string, which the next value that is returned contains.
    func text() -> String {
        next.readText()
        return next.text.text
    }

    /// Returns what has changed since the last call.
    func changes(_ driver: borrowing Driver, _ token: OpenToken) -> [JSONChange] {
        guard let rest = prepare(driver, token) else { return Self.replacement(driver, token) }
        let reader = changeReader ?? ChangeReader(document)
        changeReader = reader
        reader.begin(rest)
        advance(reader, driver, rest)
        return reader.takeChanges()
    }

    /// Returns the change of an open value that cannot be followed, such as a string, and is made again.
    static func replacement(_ driver: borrowing Driver, _ token: OpenToken) -> [JSONChange] {
        let isText = driver.isReadingText(token) && driver.storesText
        guard isText || driver.firstValueFrame != nil, !driver.hasResult else { return [] }
        return [JSONChange(path: [], indexPath: [], kind: .replaced)]
    }

    // MARK: The open containers

    /// Finds the open containers that are followed, or releases the values if there are none.
    ///
    /// - Returns: The part of the innermost of them; nil if the value cannot be followed.
    private func prepare(_ driver: borrowing Driver, _ token: OpenToken) -> LivePart? {
        if !driver.hasResult, driver.replayDepth == 0, let first = driver.firstValueFrame {
            let rest = follow(driver, from: first, isText: driver.isReadingText(token))
            if !levels.isEmpty { return rest }
        }
        // The value is complete, or another element has begun.
        levels.removeAll()
        copies.first.release()
        copies.second.release()
        changeReader = nil
        return nil
    }

    private func keepLevels(_ count: Int) {
        if levels.count > count { levels.removeLast(levels.count - count) }
        copies.first.keepMarks(count)
        copies.second.keepMarks(count)
        changeReader?.keepMarks(count)
    }

    /// Finds the open containers that can be followed. Returns the part of the innermost of them.
    private func follow(_ driver: borrowing Driver, from first: FrameReference, isText: Bool) -> LivePart {
        var (frame, depth, whole) = (first, 0, FrameReference?.none)
        while whole == nil, frame <= driver.top {
            let (index, openForm) = (driver.index(of: frame), frame.openForm)
            let isKnown = depth < levels.count && levels[depth].index == index && frame.isFollowed
            if case .path(let isFollowed) = openForm {
                if !isFollowed { whole = frame.model }
            } else if !isKnown, frame.below.hidesCurrentValue {
                keepLevels(depth)
                return .none
            } else if isKnown && levels[depth].form.isContinued(by: frame, openForm)
                || begin(frame, openForm, driver, index, at: depth, isKnown: isKnown)
            {
                depth += 1
                // The value that is added to a container is not part of it.
                if frame.addsToContainer, frame < driver.top || isText { whole = frame }
            } else {
                whole = frame
            }
            frame = frame.above
        }
        if let part = whole {
            let recovered = driver.frameOfRecovery(from: part, above: first)
            while depth > 0, levels[depth - 1].index >= driver.index(of: recovered) { depth -= 1 }
            whole = recovered
            // The payload of an enum is followed, or the enum is made as a whole.
            if depth > 0, case .union = levels[depth - 1].form {
                depth -= 1
                whole = driver.openFrame(at: levels[depth].index)
            }
        }
        keepLevels(depth)
        if let whole { return .whole(whole) }
        return isText && driver.storesText ? .text(driver.slot.layout, field: driver.top.currentField) : .none
    }

    /// Begins to follow the value of a frame, or goes on in another form: the same frame may have another case. Returns whether the value
    /// can be followed.
    private func begin(
        _ frame: FrameReference, _ openForm: FrameReference.OpenForm, _ driver: borrowing Driver, _ index: Int,
        at depth: Int, isKnown: Bool
    ) -> Bool {
        guard let form = form(of: frame, openForm, driver) else { return false }
        if isKnown {
            levels[depth].form = form
        } else {
            keepLevels(depth)
            levels.append(Level(form: form, index: index))
            frame.isFollowed = true
        }
        return true
    }

    /// Returns the form in which a frame is followed; nil for a value that cannot be followed.
    private func form(
        of frame: FrameReference, _ openForm: FrameReference.OpenForm, _ driver: borrowing Driver
    ) -> LiveForm? {
        switch openForm {
        case .container: return form(of: frame.layout).flatMap { $0.isContinued(by: frame, openForm) ? $0 : nil }
        case .payload(let index):
            guard frame < driver.top else { return nil }
            return LiveUnion(frame, index, form(of: frame.above.layout)).map { .union($0) }
        case .path, .other: return nil
        }
    }

    private func form(of layout: LayoutReference) -> LiveForm? {
        if let known = forms[layout] { return known }
        let form = LiveForm(layout)
        forms[layout] = .some(form)
        return form
    }

    // MARK: The walk

    /// Moves a reader on to what the driver has, from the outermost container to the innermost.
    ///
    /// - Parameter rest: The part of the innermost container.
    private func advance(_ reader: LiveReader, _ driver: borrowing Driver, _ rest: LivePart) {
        for depth in levels.indices {
            if depth == reader.marks.count { reader.marks.append(LiveMark()) }
            reader.depth = depth
            var (frame, part) = (driver.openFrame(at: levels[depth].index), rest)
            if depth + 1 < levels.count {
                let isKnown = depth + 1 < reader.marks.count
                part = .open(
                    driver.openFrame(at: levels[depth + 1].index), levels[depth + 1].form, isKnown: isKnown)
            }
            switch levels[depth].form {
            case .model(let model): advance(model, frame, &reader.marks[depth], part, reader)
            case .elements(let elements):
                advance(.element(elements), frame, &reader.marks[depth], part, reader, driver)
            case .members(let members):
                advance(.member(members, frame), frame, &reader.marks[depth], part, reader, driver)
            case .union(let union):
                reader.enter(union, frame, isKnown: part.isKnown, isNew: reader.marks[depth].open == nil)
                reader.marks[depth].open = union.index
            }
        }
    }

    private func advance(
        _ model: LiveModel, _ frame: FrameReference, _ mark: inout LiveMark, _ part: LivePart, _ reader: LiveReader
    ) {
        let field = part.field
        let isContinued = mark.open != nil && mark.open == field && reader.continues(part)
        if let open = mark.open, !isContinued {
            _ = reader.close(.field(model, open), open, frame.isFilled(open) ? .completed : .gone)
            mark.open = nil
            mark.fields.remove(open)
        }
        for word in 0..<model.wordCount {
            let new = frame[word: word]
            let changed = mark.fields[word] ^ new
            if changed == 0 { continue }
            mark.fields[word] = new
            FieldSet.forEachField(of: changed, word: word) {
                // A value in the driver beside the open one is that of another candidate.
                if $0 != mark.open { reader.set($0, of: model, mark.fields.contains($0) ? frame.memory : nil) }
            }
        }
        for field in model.growing where frame.isFilled(field) {
            reader.update(field, of: model, from: frame.memory)
        }
        guard let field, field >= 0 else { return }
        mark.open = reader.open(part, at: .field(model, field), field, isContinued: isContinued) ? field : nil
    }

    private func advance(
        _ place: LivePlace, _ frame: FrameReference, _ mark: inout LiveMark, _ part: LivePart, _ reader: LiveReader,
        _ driver: borrowing Driver
    ) {
        var (isContinued, isReopened) = (false, false)
        if let open = mark.open {
            let new = driver.firstElement(of: frame, after: mark.position)
            let isSame: Bool =
                if case .member(let members, _) = place {
                    new == nil && part.isKnown
                        || (new ?? (part.isNone ? nil : frame.openKey)).map { members.copy(of: $0) } == mark.openKey
                } else { true }
            isContinued = new == nil && isSame && reader.continues(part)
            if !isContinued {
                isReopened = isSame && new == nil && !part.isNone
                let end: LiveReader.End =
                    !isSame || new == nil && part.isNone ? .gone : isReopened ? .reopened : .completed
                if reader.close(place, open, end) { mark.position = ElementPosition() }
                (mark.open, mark.openKey) = (nil, nil)
            }
        }
        reader.append(to: place, frame, &mark.position, driver)
        if part.isNone { return }
        let index = mark.position.total
        if reader.open(part, at: place, index, isContinued: isContinued) {
            mark.open = index
            if !isContinued, case .member(let members, _) = place { mark.openKey = members.copy(of: frame.openKey) }
        } else if isReopened, case .member = place, reader.close(place, index, .gone) {
            // A value that was open and can no longer be made. An element was removed when it was reopened, a pair was not.
            mark.position = ElementPosition()
            reader.append(to: place, frame, &mark.position, driver)
        }
    }
}

/// What a container that is followed contains besides complete values.
enum LivePart {
    /// Nothing, or a value that is left out.
    case none
    /// A string whose contents so far are stored.
    case text(LayoutReference, field: Int?)
    /// The frame of a value that is made as a whole.
    case whole(FrameReference)
    /// A value that is followed. `isKnown` states whether the reader has the beginning of the value.
    case open(FrameReference, LiveForm, isKnown: Bool)

    var isNone: Bool { if case .none = self { true } else { false } }
    var isText: Bool { if case .text = self { true } else { false } }
    var isKnown: Bool { if case .open(_, _, isKnown: true) = self { true } else { false } }

    /// The field of the part in the model around it; nil for no part.
    var field: Int? {
        switch self {
        case .none: nil
        case .text(_, let field): field
        case .whole(let frame), .open(let frame, _, _): frame.below.currentField
        }
    }
}

/// The place of the open value in a container.
enum LivePlace {
    case field(LiveModel, Int)
    case element(LiveElements)
    /// The value of the pair whose key is in a frame.
    case member(LiveMembers, FrameReference)
}

/// A reader that follows a value: what the reader has of each open container, and the steps of the walk.
///
/// The walk handles the containers from the outermost to the innermost. In each, the steps are those of `close`, `set`, `update` or
/// `append`, and `open` or `enter`.
class LiveReader {
    /// What became of a value that was open.
    enum End {
        /// The value is complete, and is the next one that is set or appended.
        case completed
        /// The value is made again in its place.
        case reopened
        case gone
    }

    @exclusivity(unchecked) final var marks: [LiveMark] = []
    /// The position of the current container in `marks`.
    @exclusivity(unchecked) final var depth = 0
    @exclusivity(unchecked) private(set) final var text = OpenText()
    final unowned(unsafe) let document: DocumentSnapshots

    /// - Parameter document: The document of the value, which exists as long as the reader is called.
    init(_ document: DocumentSnapshots) { self.document = document }

    final func readText() { document.document.readOpenText(&text) }

    func keepMarks(_ count: Int) { if marks.count > count { marks.removeLast(marks.count - count) } }

    /// Whether the reader has the beginning of a part that is in the place of the open value.
    func continues(_ part: LivePart) -> Bool { part.isKnown }
    /// Ends the open value at a place. Returns whether all elements of the container must be appended again.
    func close(_ place: LivePlace, _ index: Int, _ end: End) -> Bool { false }
    /// Handles a field that has received its value, or has lost it.
    ///
    /// - Parameter source: The memory of the model in the driver; nil for a lost value.
    func set(_ field: Int, of model: LiveModel, _ source: UnsafeMutableRawPointer?) {}
    /// Handles a field that may have received further elements.
    func update(_ field: Int, of model: LiveModel, from source: UnsafeMutableRawPointer) {}
    /// Appends the complete elements or pairs after a position, and moves the position.
    func append(
        to place: LivePlace, _ frame: FrameReference, _ position: inout ElementPosition, _ driver: borrowing Driver
    ) {}
    /// Handles the part at a place, whose container is then the current one. Returns whether the place now has an open value.
    func open(_ part: LivePart, at place: LivePlace, _ index: Int, isContinued: Bool) -> Bool { false }
    /// Moves on to the payload of an enum.
    func enter(_ union: LiveUnion, _ frame: FrameReference, isKnown: Bool, isNew: Bool) {}
}

/// What a reader has of an open container.
struct LiveMark {
    /// The fields of a model that are complete.
    var fields = FieldSet()
    /// The elements or pairs that are complete.
    var position = ElementPosition()
    /// The field of a model, the index of an element or pair, or the case of an enum, whose value is open.
    var open: Int?
    /// The key of the open pair.
    var openKey: AnyHashable?
}
