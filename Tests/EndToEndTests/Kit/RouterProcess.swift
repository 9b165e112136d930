import Foundation
import TestKit

/// `multiroute run` as a child, ready when made; it is told to end when let go of.
final class RouterProcess {
  /// A router that did not become ready.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  let child: ChildProcess
  /// Its name at the JACK server.
  let clientName: String
  /// Where it hears OSC.
  let port: UInt16
  /// Kept until the router has left.
  private let owners: [AnyObject]

  /// Starts it and waits for the line that says it is ready.
  init(
    preset: String?, server: String, in folder: TemporaryFolder, flags: [String] = [],
    environment: [String: String] = [:], owners: [AnyObject] = []
  ) throws {
    self.owners = owners + [folder]
    let osc = flags.contains("--osc") ? [] : ["--osc", "127.0.0.1:0"]
    child = try Program.start(
      ["run"] + (preset.map { [$0] } ?? []) + ["--server", server, "--config", "none"] + osc + flags,
      in: folder, environment: environment)
    guard let line = child.errors.line(containing: "multiroute: ready ", seconds: 15) else {
      throw Failure(description: "not ready: \(child.errors.text)")
    }
    let words = line.split(separator: " ").map(String.init)
    func value(_ name: String) -> String? {
      words.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }
    guard let name = value("jack"), let address = value("osc"),
      let port = address.split(separator: ":").last.flatMap({ UInt16($0) })
    else { throw Failure(description: "the line that says ready cannot be read: \(line)") }
    (clientName, self.port) = (name, port)
  }

  deinit {
    guard child.isRunning else { return }
    child.send(signal: SIGTERM)
    if child.wait(seconds: 5) == nil {
      child.send(signal: SIGKILL)
      _ = child.wait(seconds: 5)
    }
  }

  /// Sends a signal to end and waits; the exit code, and how long it took.
  func terminate(by signal: Int32 = SIGTERM) -> (code: Int32?, seconds: Double) {
    let start = Date()
    child.send(signal: signal)
    let code = child.wait(seconds: 10)
    return (code, -start.timeIntervalSinceNow)
  }
}
