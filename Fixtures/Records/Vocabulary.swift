/// The words of the records, as they appear between the quotation marks of a JSON string, with escapes.
enum Vocabulary {
    static let givenNames: [StaticString] = [
        "Ada", "Björn", "Chloé", "Dmitri", "Edsger", "Fatima", "Grace", "Håkon", "Ines", "Jos\\u00e9",
        "Keiko", "Łukasz", "Marie-Claire", "Noor", "Ольга", "Priya", "Quentin \\\"Q\\\"", "Renée", "Sven",
        "Tove", "明日香", "Vikram", "William \\\"Bill\\\"", "Xóchitl", "Yusuf", "Zo\\u00eb",
    ]

    static let familyNames: [StaticString] = [
        "Almeida", "Bergström", "Castañeda", "D'Angelo", "Eriksen", "Fernández", "Goldberg", "Hopper",
        "Ivanova", "Johansson", "Kowalczyk", "Lovelace", "Müller", "Nakamura", "O\\u2019Brien", "Petrov",
        "Quispe", "Ramanujan", "Świątek", "Tanaka", "Underwood", "Van den Berg", "Wójcik", "Xu", "Yılmaz",
        "Zieli\\u0144ski",
    ]

    static let streets: [StaticString] = [
        "Ahornweg", "Baker Street", "Calle de Alcalá", "Drottninggatan", "Elm Street", "Fleet Street",
        "Gran Vía", "High Street", "Istiklal Caddesi", "Jalan Merdeka", "Königsallee", "Lombard Street",
        "Main Street", "Nevsky Prospekt", "Orchard Road", "Paseo de la Reforma", "Queen\\u0027s Road",
        "Rue de l\\u2019Église", "Strandvägen", "Unter den Linden", "Via Roma", "桜通り",
    ]

    static let cities: [StaticString] = [
        "Århus", "Barcelona", "Cape Town", "Dublin", "Edinburgh", "Firenze", "Genève", "Helsinki", "İstanbul",
        "Jakarta", "København", "Łódź", "Malmö", "Nairobi", "Oslo", "Porto", "Québec", "Reykjavík",
        "São Paulo", "Tokyo", "Uppsala", "Wien", "Zürich", "京都",
    ]

    static let tags: [StaticString] = [
        "new", "sale", "fragile", "bulk", "export", "gift", "archive", "priority", "on hold", "r\\u00e9serv\\u00e9",
        "second-hand", "très petit", "50 % off", "A\\/B",
    ]

    static let notes: [StaticString] = [
        "Leave with the neighbour at number 12.",
        "Called twice, no answer.\\nTry again on Monday.",
        "The label says \\\"this side up\\\", and it was not.",
        "Prefers post to C:\\\\inbox\\\\orders.",
        "Paid in full \\u2713",
        "Bitte beim Hausmeister klingeln, 3. Stock.",
        "Size\\tcolour\\tweight\\n42\\tgrün\\t1.2 kg",
        "Fragile: a gift for the twins \\ud83c\\udf81\\ud83c\\udf81.",
        "配達は午後にお願いします。",
        "Ask for the discount of last year, then close the ticket.",
    ]

    static let sources: [StaticString] = [
        "import", "web", "shop \\\"North\\\"", "partner\\/feed", "t\\u00e9l\\u00e9phone", "batch 7",
    ]
}
