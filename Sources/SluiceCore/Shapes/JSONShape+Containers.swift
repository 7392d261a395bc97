extension JSONShape {
    /// Returns the shape of a container that is decoded from and encoded to an array.
    ///
    /// - Parameters:
    ///   - type: The type of the container.
    ///   - element: The type of the elements.
    ///   - append: Adds an element to an existing container, if the container supports this.
    ///   - make: Makes the container from its elements.
    ///   - elements: Returns the elements of a container, in the order in which they are encoded.
    public static func array<C, Element: JSONConvertible, Elements: Collection<Element>>(
        _ type: C.Type, of element: Element.Type, append: ((inout C, consuming Element) -> Void)? = nil,
        make: @escaping ([Element]) -> C, elements: @escaping (C) -> Elements
    ) -> JSONShape {
        sequence(type, elementShape: JSONShape.of(Element.self), append: append) {
            make(Array(taking: $0))
        } elements: {
            ElementBuffer(copying: elements($0.assumingMemoryBound(to: C.self).pointee)) { $0 }
        }
    }

    /// Returns the shape of a container whose elements have the given shape.
    ///
    /// - Parameters:
    ///   - isBorrowed: Whether `elements` borrows the elements, in their order.
    ///   - isOrdered: Whether the elements have an order.
    ///   - access: The access to single elements, if they can be changed one by one.
    ///   - reserve: Makes room in an empty container for elements that are appended.
    ///   - make: Makes the container from its elements, which are moved out of their memory.
    ///   - elements: Returns the elements of a container.
    ///   - visit: Visits the elements in place, if they are not borrowed.
    @inlinable
    static func sequence<C, Element>(
        _ type: C.Type, elementShape: JSONShape, isBorrowed: Bool = false, isOrdered: Bool = true,
        access: ElementAccess? = nil,
        append: ((inout C, consuming Element) -> Void)? = nil, reserve: ((inout C, Int) -> Void)? = nil,
        make: @escaping (CollectedElements<Element>) -> C,
        elements: @escaping (UnsafeRawPointer) -> ElementBuffer, visit: ContainerWitness.Visit? = nil
    ) -> JSONShape {
        let array = ArrayWitness(
            element: ElementWitness(Element.self, shape: elementShape),
            finish: { $1.assumingMemoryBound(to: C.self).initialize(to: make(CollectedElements($0))) },
            elements: elements, visit: visit, borrowsElements: isBorrowed, isOrdered: isOrdered,
            insert: append.map { append in
                { value, _, container in
                    append(
                        &container.assumingMemoryBound(to: C.self).pointee,
                        value.assumingMemoryBound(to: Element.self).move())
                    return true
                }
            }, reserve: reserve.map { reserve in { reserve(&$0.assumingMemoryBound(to: C.self).pointee, $1) } },
            access: access)
        return JSONShape(type, array, of: Element.self)
    }

    /// Returns the shape of a container that is decoded from and encoded to an object with any keys.
    ///
    /// - Parameters:
    ///   - type: The type of the container.
    ///   - key: The type of the keys.
    ///   - value: The type of the values.
    ///   - make: Makes the container from its members. A key may occur several times; by convention, the last value wins.
    ///   - members: Returns the members of a container, in the order in which they are encoded.
    public static func dictionary<
        C, Key: JSONDictionaryKey, Value: JSONConvertible, Members: Collection<(key: Key, value: Value)>
    >(
        _ type: C.Type, key: Key.Type, value: Value.Type,
        make: @escaping ([(key: Key, value: Value)]) -> C, members: @escaping (C) -> Members
    ) -> JSONShape {
        self.members(
            type, valueShape: JSONShape.of(Value.self),
            keys: KeyText(make: { Key(jsonKey: $0) }, text: { $0.jsonKey }), mayRepeatTexts: true,
            make: { pairs in make(Array(taking: pairs)) },
            elements: {
                ElementBuffer(copying: members($0.assumingMemoryBound(to: C.self).pointee)) { ($0.key, $0.value) }
            })
    }

    /// Returns the shape of a dictionary whose values have the given shape.
    ///
    /// - Parameters:
    ///   - keys: The conversions between keys and their text.
    ///   - access: The access to single members, if they can be changed one by one.
    ///   - mergesEquivalentKeys: Whether the dictionary cannot hold two keys that are canonically equivalent.
    ///   - mayRepeatTexts: Whether different keys may have equal texts, which is an error in encoding.
    ///   - insert: Sets the value of a key in an existing container.
    ///   - reserve: Makes room in an empty container for members that are inserted.
    ///   - make: Makes the dictionary from its pairs, which are moved out of their memory.
    ///   - elements: Returns the pairs of a dictionary.
    ///   - visit: Visits the pairs in place.
    @inlinable
    static func members<C, Key: Hashable, Value>(
        _ type: C.Type, valueShape: JSONShape, keys: KeyText<Key>, access: MemberAccess? = nil,
        mergesEquivalentKeys: Bool = false, mayRepeatTexts: Bool = false,
        insert: ContainerWitness.Insert? = nil, reserve: ((inout C, Int) -> Void)? = nil,
        make: @escaping (CollectedElements<(Key, Value)>) -> C,
        elements: @escaping (UnsafeRawPointer) -> ElementBuffer, visit: ContainerWitness.Visit? = nil
    ) -> JSONShape {
        let dictionary = DictionaryWitness(
            keys: KeyWitness(keys),
            element: ElementWitness(pairs: (Key, Value).self, shape: valueShape),
            finish: { $1.assumingMemoryBound(to: C.self).initialize(to: make(CollectedElements($0))) },
            elements: elements, visit: visit, insert: insert,
            reserve: reserve.map { reserve in { reserve(&$0.assumingMemoryBound(to: C.self).pointee, $1) } },
            access: access, mergesEquivalentKeys: mergesEquivalentKeys)
        dictionary.mayRepeatTexts = mayRepeatTexts
        return JSONShape(type, dictionary, of: Value.self)
    }
}
