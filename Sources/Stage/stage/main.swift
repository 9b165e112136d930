import JackServer
import StageKit
import SystemCalls

/// Writes a line and flushes it, so that a reader gets it at once.
func answer(_ line: String) {
  print(line)
  System.fflush()
}

/// Joins the server, and tries again for `seconds` if the server is still starting.
func join(server: String?, name: String, seconds: Double) -> Stage? {
  var remaining = max(1, Int(seconds * 50))
  while true {
    do throws(StageError) {
      return try Stage(server: server, name: name)
    } catch {
      remaining -= 1
      if remaining <= 0 {
        answer("error \(error)")
        return nil
      }
      System.sleep(seconds: 0.02)
    }
  }
}

/// Carries out one line and returns the answer.
func perform(_ line: String, on stage: Stage) -> String {
  guard let words = Words.split(line), let name = words.first else { return "error a quote is left open" }
  guard let command = StageCommand.table.first(where: { $0.name == name }) else {
    return "error there is no command \"\(name)\""
  }
  let arguments = Arguments(words: Array(words.dropFirst()))
  guard command.count.contains(arguments.count) else {
    return "error usage: \(command.name) \(command.arguments)"
  }
  do throws(CommandError) {
    let result = try command.run(stage, arguments)
    return result.isEmpty ? "ok" : "ok \(result)"
  } catch {
    return "error \(error.sentence)"
  }
}

var server: String?
var name = "Stage"
var startsServer = false
var patience = 10.0
var words = Array(CommandLine.arguments.dropFirst())
while let option = words.first {
  words.removeFirst()
  switch option {
  case "--help", "help":
    print(StageCommand.help)
    System.exit(0)
  case "--server" where !words.isEmpty: server = words.removeFirst()
  case "--name" where !words.isEmpty: name = words.removeFirst()
  case "--start-server": startsServer = true
  case "--wait" where words.first.flatMap(Double.init) != nil: patience = Double(words.removeFirst()) ?? 0
  default:
    let text = "stage: \(option) is not understood; see stage --help\n"
    try? System.writeAll(System.standardError, Array(text.utf8))
    System.exit(64)
  }
}

System.exit(
  startsServer
    ? serveAlone(server: server ?? "stage-\(System.getpid())", name: name)
    : serve(server: server, name: name, patience: patience)
)

/// Starts a dummy server, which ends with this process, and answers lines there.
func serveAlone(server: String, name: String) -> Int32 {
  let dummy = DummyServer(DummyServer.Settings(name: server))
  do throws(ServerError) {
    try dummy.start()
  } catch {
    answer("error \(error)")
    return 69
  }
  defer { dummy.stop() }
  let code = serve(server: server, name: name, patience: 0)
  if code != 0 { print(dummy.lastLines) }
  return code
}

/// Answers lines until quit or the end of the input. The stage has left the server when this returns.
func serve(server: String?, name: String, patience: Double) -> Int32 {
  guard let stage = join(server: server, name: name, seconds: patience) else { return 69 }
  answer("ok rate=\(stage.sampleRate) period=\(stage.period) server=\(Words.quote(server ?? "default"))")
  while let line = readLine() {
    switch line.trimmed {
    case "": continue
    case "quit": return 0
    case let command: answer(perform(command, on: stage))
    }
  }
  return 0
}

extension String {
  /// Without spaces at both ends.
  fileprivate var trimmed: String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" }
    return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }
}
