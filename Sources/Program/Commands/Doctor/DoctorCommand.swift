import JSON5

/// `multiroute doctor`: looks at a machine before the show, and says what would be heard and what mends it.
enum DoctorCommand {
  struct Options: Equatable {
    var client: ClientOptions
    /// Whether the command line names the router, which must then answer.
    var isRouterNamed: Bool
    var server: String?
    var configuration: ConfigurationChoice
    var presetFolder: String?
    var mediaFolder: String?
    var isJSON: Bool

    init(_ arguments: ParsedArguments, _ context: Context) throws(CommandFailure) {
      client = try ClientOptions(arguments, context)
      isRouterNamed = arguments.text(.to) != nil
      (server, configuration) = (arguments.text(.server), ConfigurationChoice(arguments.text(.config)))
      (presetFolder, mediaFolder) = (arguments.text(.presets), arguments.text(.media))
      isJSON = arguments.has(.json)
    }
  }

  /// - Throws: `CommandFailure` failure if a finding would be heard, unavailable if the router that is named does not answer.
  static func perform(
    _ options: Options, at servers: DoctorSurvey.Servers, _ context: Context
  ) throws(CommandFailure) {
    let machine = try DoctorSurvey.machine(options, at: servers, context)
    let report = DoctorReport(machine)
    if options.isJSON {
      context.console.write(report.json.text)
    } else {
      report.print(on: context.console)
    }
    if report.audible > 0 { throw CommandFailure(.failure) }
  }
}
