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

  /// A recorder before the command.
  private struct Former {
    /// Its last file; empty for none.
    var file: String
    /// Whether it was paused, so that it goes on in that file.
    var isPaused: Bool
  }

  static func perform(_ options: Options, _ context: Context) throws(CommandFailure) {
    let isInterrupted = context.interruption.listen()
    var link = try RouterLink(options.client)
    var former: [String: Former] = [:]
    if options.job == .stop {
      try order("stop", options, &link)
    } else {
      former = try stopped(options, &link)
      let outcomes = try options.recorders.map { (recorder) throws(CommandFailure) in
        try OrderOutcome(of: OSCMessage("/recorder/\(recorder)/record"), options.client)
      }
      try order("record", options, &link)
      do throws(CommandFailure) {
        for outcome in outcomes { try outcome?.settle() }
        try begin(options, former, isInterrupted, context.console, &link)
        if options.job == .record { try wait(options, isInterrupted, &link) }
        if options.job == .start, !isInterrupted() { return }
        try order("stop", options, &link)
      } catch {
        // No other program ends these recordings. Each recorder gets a message of its own, because one may be gone.
        for (recorder, former) in former {
          let verb = former.isPaused ? "pause" : "stop"
          _ = try? link.request(OSCMessage("/recorder/\(recorder)/\(verb)"))
        }
        throw error
      }
    }
    try end(options, former, context.console, &link)
  }

  /// The recorders before they begin.
  /// - Throws: `CommandFailure` failure if one of them records already, because this command would end another one's recording.
  private static func stopped(
    _ options: Options, _ link: inout RouterLink
  ) throws(CommandFailure) -> [String: Former] {
    var former: [String: Former] = [:]
    for recorder in options.recorders {
      let (state, file) = (
        try text("state", of: recorder, &link), try text("file/now", of: recorder, &link)
      )
      switch state {
      case "recording", "interrupted":
        throw CommandFailure(
          .failure,
          "multiroute: \(recorder) records \(file) already; end that first: multiroute record \(recorder) --stop"
        )
      default: former[recorder] = Former(file: file, isPaused: state == "paused")
      }
    }
    return former
  }

  /// Time in which files are made and finished.
  private static let patience = Duration.seconds(5)

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
      for recorder in options.recorders where try !isStopped(text("state", of: recorder, &link)) {
        isOver = false
      }
      if isOver { return }
    }
  }

  /// Whether a recorder of a state has ended. One with `before` is prepared again at once.
  private static func isStopped(_ state: String) -> Bool { ["stopped", "prepared"].contains(state) }

  /// Waits until each recorder has its file, and tells the files. One whose device is away begins later. Ctrl-C ends the wait.
  private static func begin(
    _ options: Options, _ former: [String: Former], _ isInterrupted: () -> Bool, _ console: Console,
    _ link: inout RouterLink
  ) throws(CommandFailure) {
    let end = ContinuousClock.now + patience
    for recorder in options.recorders {
      while !isInterrupted() {
        let (state, file) = (
          try text("state", of: recorder, &link), try text("file/now", of: recorder, &link)
        )
        if state == "waiting" {
          let source = try text("source", of: recorder, &link)
          console.tell("\(recorder) waits for \(source.split(separator: ":").last ?? "its device")")
          break
        }
        // A file with a short limit may have ended already.
        if file != former[recorder]?.file || former[recorder]?.isPaused == true && !isStopped(state) {
          if options.job == .start {
            console.print(file)
          } else {
            console.tell("\(recorder) records \(file)")
          }
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
  }

  /// Waits until the files are whole, a moment after their recorders have stopped, and prints their names.
  private static func end(
    _ options: Options, _ former: [String: Former], _ console: Console, _ link: inout RouterLink
  ) throws(CommandFailure) {
    let end = ContinuousClock.now + patience
    for recorder in options.recorders {
      while true {
        let state = try text("state", of: recorder, &link)
        if isStopped(state), try text("file/open", of: recorder, &link) != "1" { break }
        guard ContinuousClock.now < end else {
          throw CommandFailure(
            .failure,
            "multiroute: \(recorder) is \(state) and has not finished its file; multiroute watch /event tells why"
          )
        }
        System.sleep(seconds: 0.02)
      }
      let file = try text("file/now", of: recorder, &link)
      if file.isEmpty || former[recorder].map({ $0.file == file && !$0.isPaused }) == true {
        console.tell("\(recorder) has recorded nothing")
      } else {
        console.print(file)
      }
    }
  }

  private static func text(
    _ leaf: String, of recorder: String, _ link: inout RouterLink
  ) throws(CommandFailure) -> String {
    try link.read("/recorder/\(recorder)/\(leaf)").first?.arguments.first?.plain ?? ""
  }
}
