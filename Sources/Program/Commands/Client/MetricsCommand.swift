import OSC
import SystemCalls

/// `multiroute metrics`: prints the page of metrics of the running router, or writes it into a file.
enum MetricsCommand {
  struct Options: Equatable {
    var client: ClientOptions
    /// The file that is replaced by the page; nil prints the page.
    var file: String?

    init(_ arguments: ParsedArguments, _ context: Context) throws(CommandFailure) {
      client = try ClientOptions(arguments, context)
      file = arguments.text(.metricsFile)
    }
  }

  private static let permissions: UInt32 = 0o644

  /// - Throws: `CommandFailure` failure or unavailable if the router does not tell the page, unreadableFile if the file cannot be written.
  static func perform(_ options: Options, _ context: Context) throws(CommandFailure) {
    var link = try RouterLink(options.client)
    let page = try page(from: &link)
    guard let file = options.file else { return context.console.write(page) }
    do throws(SystemError) {
      try WholeFile.replace(file, with: Array(page.utf8), permissions: permissions)
    } catch {
      throw CommandFailure(.unreadableFile, "multiroute: \(file) cannot be written: \(error.reason)")
    }
  }

  /// The page, whose parts come in as many messages as it needs.
  private static func page(from link: inout RouterLink) throws(CommandFailure) -> String {
    // Index, total, some lines.
    try link.request(OSCMessage("/system/metrics")).map { message in
      guard case .string(let lines)? = message.arguments.last else { return "" }
      return lines
    }.joined()
  }
}
