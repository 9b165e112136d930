import JSON5

/// `multiroute why`: shows the way of a sound from its program to the loudspeaker.
enum WhyCommand {
  struct Options: Equatable {
    var client: ClientOptions
    var session: String
    var stream: String?
    var output: String?
    var isJSON: Bool

    init(_ arguments: ParsedArguments, _ context: Context) throws(CommandFailure) {
      client = try ClientOptions(arguments, context)
      let words = arguments.positionals
      let parts = words[0].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard parts.count <= 2, !parts.contains("") else {
        throw .usage(of: .why, ["'\(words[0])' is neither a session nor SESSION.STREAM, such as show.click"])
      }
      (session, stream) = (parts[0], parts.count > 1 ? parts[1] : nil)
      output = words.count > 1 ? words[1] : nil
      for word in parts + [output].compactMap(\.self) where word.contains(where: { "/*?[]{}# ".contains($0) })
      {
        throw .usage(of: .why, ["'\(word)' is no id; name one session, stream or output"])
      }
      isJSON = arguments.has(.json)
    }
  }

  static func perform(_ options: Options, _ context: Context) throws(CommandFailure) {
    var link = try RouterLink(options.client)
    let way = try SoundWay(of: options.session, options.stream, at: options.output, &link)
    if options.isJSON { return context.console.write(way.json.text) }
    for line in way.lines(context.console) { context.console.print(line) }
  }
}
