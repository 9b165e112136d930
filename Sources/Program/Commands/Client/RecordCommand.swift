import OSC
import SystemCalls

/// `multiroute record`: starts and stops recorders of a running router.
enum RecordCommand {
  struct Options {
    var client: ClientOptions
    var recorders: [String]
    var job: Job
    /// Seconds after which the recording ends; nil for Ctrl-C.
    var seconds: Double?

    enum Job {
      /// Record until Ctrl-C or for some seconds.
      case record
      /// Begin, and leave the recorders running.
      case start
      case stop
    }

    init(_ arguments: ParsedArguments, _ context: Context) throws(CommandFailure) {
      client = try ClientOptions(arguments, context)
      var seen: Set<String> = []
      recorders = arguments.positionals.filter { seen.insert($0).inserted }
      seconds = arguments.seconds(.watchSeconds)
      switch (arguments.has(.begin), arguments.has(.end)) {
      case (true, true): throw .usage(of: .record, ["--start and --stop exclude each other"])
      case (true, false): job = .start
      case (false, true): job = .stop
      case (false, false): job = .record
      }
      if seconds != nil, job != .record {
        throw .usage(of: .record, ["--seconds belongs to a recording that this command also ends"])
      }
    }
  }

  static func perform(_ options: Options, _ context: Context) throws(CommandFailure) {
    let isInterrupted = context.interruption.listen()
    var link = try RouterLink(options.client)
    if options.job != .stop {
      var former: [String: String] = [:]
      for recorder in options.recorders {
        // A paused recorder goes on in its file.
        if try text("state", of: recorder, &link) == "paused" { continue }
        former[recorder] = try text("file/now", of: recorder, &link)
      }
      let outcomes = try options.recorders.map { (recorder) throws(CommandFailure) in
        try OrderOutcome(of: OSCMessage("/recorder/\(recorder)/record"), options.client)
      }
      try order("record", options, &link)
      for outcome in outcomes { try outcome?.settle() }
      let files = try files(options, &link) { recorder, state, file, _ in
        !["stopped", "prepared"].contains(state) && file != former[recorder]
      }
      for (recorder, file) in zip(options.recorders, files) {
        if options.job == .start {
          context.console.print(file)
        } else {
          context.console.tell("\(recorder) records \(file)")
        }
      }
    }
    guard options.job != .start else { return }
    if options.job == .record { try wait(options, isInterrupted, &link) }
    try order("stop", options, &link)
    // A file is whole once it is finished, a moment after its recorder has stopped.
    let files = try files(options, &link) { _, state, _, isOpen in
      ["stopped", "prepared"].contains(state) && !isOpen
    }
    for file in files { context.console.print(file) }
  }

  private static func order(
    _ verb: String, _ options: Options, _ link: inout RouterLink
  ) throws(CommandFailure) {
    try link.requestTogether(options.recorders.map { OSCMessage("/recorder/\($0)/\(verb)") })
  }

  /// Waits for the end: a signal, the time, or the end of all recorders by themselves.
  private static func wait(
    _ options: Options, _ isInterrupted: () -> Bool, _ link: inout RouterLink
  ) throws(CommandFailure) {
    let end = options.seconds.map { ContinuousClock.now + .seconds($0) }
    var next = ContinuousClock.now + .seconds(1)
    while !isInterrupted(), end.map({ ContinuousClock.now < $0 }) ?? true {
      System.sleep(seconds: 0.02)
      guard ContinuousClock.now >= next else { continue }
      next = ContinuousClock.now + .seconds(1)
      var isOver = true
      for recorder in options.recorders where try text("state", of: recorder, &link) != "stopped" {
        isOver = false
      }
      if isOver { return }
    }
  }

  /// The names of the recorders' files, once recorder, state, file and whether that is open are right for each of them.
  private static func files(
    _ options: Options, _ link: inout RouterLink, until isRight: (String, String, String, Bool) -> Bool
  ) throws(CommandFailure) -> [String] {
    let end = ContinuousClock.now + .seconds(5)
    var files: [String] = []
    for recorder in options.recorders {
      while true {
        let (state, file) = (
          try text("state", of: recorder, &link), try text("file/now", of: recorder, &link)
        )
        let isOpen = try text("file/open", of: recorder, &link) == "1"
        if isRight(recorder, state, file, isOpen), !file.isEmpty {
          files.append(file)
          break
        }
        guard ContinuousClock.now < end else {
          throw CommandFailure(
            .failure, "multiroute: \(recorder) is \(state) and has no file; multiroute watch /event tells why"
          )
        }
        System.sleep(seconds: 0.02)
      }
    }
    return files
  }

  private static func text(
    _ leaf: String, of recorder: String, _ link: inout RouterLink
  ) throws(CommandFailure) -> String {
    try link.read("/recorder/\(recorder)/\(leaf)").first?.arguments.first?.plain ?? ""
  }
}
