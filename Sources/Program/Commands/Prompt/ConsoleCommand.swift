import LineEditing
import OSC
import SystemCalls

/// `multiroute console`: lines that read and set addresses, from a prompt or from a pipe.
struct ConsoleCommand {
  private let options: ClientOptions
  private let console: Console
  /// The exit code of the first line that failed.
  private var failure: ExitCode?

  static func perform(
    _ options: ClientOptions, stateFolder: String, _ context: Context
  ) throws(CommandFailure) {
    var command = ConsoleCommand(options: options, console: context.console)
    // Says at once that there is no router.
    var link = try RouterLink(options)
    _ = try link.request(OSCMessage("/system/info"))
    if context.console.isInteractive {
      let prompt = Prompt(options, stateFolder: stateFolder, context.console)
      do throws(DynamicLibrary.Missing) { return try prompt.run(&command, Completer(options: options)) } catch
      {
        context.console.tell("multiroute: lines can be typed, but not edited or completed: \(error).")
      }
    }
    try command.perform(linesUntil: context.interruption.listen())
  }

  private init(options: ClientOptions, console: Console) { (self.options, self.console) = (options, console) }

  /// Performs the lines of standard input. A line that is refused does not keep the next ones from being performed.
  /// - Throws: `CommandFailure` with the exit code of the first line that failed; at once if no router answers.
  private mutating func perform(linesUntil isInterrupted: () -> Bool) throws(CommandFailure) {
    var input = InputLines()
    while let line = try input.next(unless: isInterrupted) {
      let outcome = perform(line)
      if outcome == .quit { break }
      if outcome == .failed(.unavailable) { throw CommandFailure(.unavailable, []) }
    }
    if let failure { throw CommandFailure(failure, []) }
  }

  /// What became of a line.
  enum Outcome: Equatable {
    case done
    case quit
    case failed(ExitCode)
  }

  /// Performs a line, and prints what it answers and why it failed.
  mutating func perform(_ line: String) -> Outcome {
    do throws(CommandFailure) {
      return try act(try ConsoleLine(line)) ? .done : .quit
    } catch {
      for line in error.lines { console.tell(line) }
      failure = failure ?? error.exitCode
      return .failed(error.exitCode)
    }
  }

  /// Returns false if the line ends the console.
  private func act(_ line: ConsoleLine) throws(CommandFailure) -> Bool {
    switch line {
    case .nothing: break
    case .quit: return false
    case .help: for line in ConsoleLine.explanation { console.print(line) }
    case .describe(let address):
      var link = try RouterLink(options)
      console.print(try AddressHelp(address, &link).line)
    case .get(let address): try GetCommand.perform(address, options, console)
    case .read(let address):
      do throws(CommandFailure) { try GetCommand.perform(address, options, console) } catch {
        throw advised(error, address)
      }
    case .send(let message): try SendCommand.perform(message, options, console)
    }
    return true
  }

  /// The refusal to read, with the way to fire what acts.
  private func advised(_ failure: CommandFailure, _ address: String) -> CommandFailure {
    guard failure.exitCode == .failure, var link = try? RouterLink(options),
      (try? AddressHelp(address, &link))?.acts == true
    else { return failure }
    return CommandFailure(failure.exitCode, failure.lines + ["To fire it, write: send \(address)"])
  }
}
