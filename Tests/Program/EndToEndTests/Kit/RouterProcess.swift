import Foundation
import TestKit

/// `multiroute run` as a child process. It is ready after `init`. When this object is released, it ends the child and waits for the end.
final class RouterProcess {
  /// A router that did not become ready.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  let child: ChildProcess
  /// The router's client name at the JACK server.
  let clientName: String
  /// The router's UDP port for OSC, the last if there are several; 0 if there is none.
  let port: UInt16
  /// The router's TCP port for OSC; 0 if there is none.
  let tcpPort: UInt16
  /// The path of the router's own Unix socket.
  let socket: String
  /// Kept until the router has left.
  private let owners: [AnyObject]

  /// Starts the router and waits for the line `ready`.
  ///
  /// - Parameter joinsDesktop: whether it looks for a session bus. The bus of the tests' own machine is none of its business.
  init(
    preset: String?, server: String, in folder: TemporaryFolder, flags: [String] = [],
    joinsDesktop: Bool = false, environment: [String: String] = [:], launcher: [String] = [],
    owners: [AnyObject] = []
  ) throws {
    self.owners = owners + [folder]
    let osc = flags.contains("--osc") ? [] : ["--osc", "127.0.0.1:0"]
    let configuration = flags.contains("--config") ? [] : ["--config", "none"]
    child = try Program.start(
      ["run"] + (preset.map { [$0] } ?? []) + ["--server", server] + configuration
        + (joinsDesktop ? [] : ["--no-mpris"]) + osc + flags,
      in: folder, environment: environment, launcher: launcher)
    guard let line = child.errors.line(containing: "multiroute: ready ", seconds: 15) else {
      throw Failure(description: "not ready: \(child.errors.text)")
    }
    let words = line.split(separator: " ").map(String.init)
    func value(_ name: String) -> String? {
      words.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }
    guard let name = value("jack"), let address = value("osc"),
      let socket = address.split(separator: ",").last, socket.hasPrefix("unix:/")
    else { throw Failure(description: "the line that says ready cannot be read: \(line)") }
    let places = address.split(separator: ",").filter { !$0.hasPrefix("unix:") }
    func lastPort(_ places: [Substring]) -> UInt16 {
      places.last?.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
    }
    port = lastPort(places.filter { !$0.hasPrefix("tcp:") })
    tcpPort = lastPort(places.filter { $0.hasPrefix("tcp:") })
    (clientName, self.socket) = (name, String(socket.dropFirst(5)))
  }

  /// The port of HTTP, which the router says before it is ready.
  func webPort() throws -> UInt16 {
    let said = child.errors.text
    let port = said.firstMatch(of: /HTTP and WebSocket are at http:\/\/.*:([0-9]+)\//).flatMap {
      UInt16($0.1)
    }
    guard let port else { throw Failure(description: "no port of HTTP: \(said)") }
    return port
  }

  /// The lines that the router has printed, and where each of its threads waits in the system: for tests that
  /// fail.
  var diagnosis: String {
    let folder = "/proc/\(child.identifier)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let places = threads.map { thread in
      ["comm", "wchan", "syscall"].map { file in
        ((try? String(contentsOfFile: "\(folder)/\(thread)/\(file)", encoding: .utf8)) ?? "?")
          .trimmingCharacters(in: .whitespacesAndNewlines)
      }.joined(separator: " ")
    }
    return "\(child.errors.text)\n\(places.joined(separator: "\n"))"
  }

  deinit {
    // Ends the child here, because the router must leave the server before the server ends.
    child.finish()
  }

  /// Sends a signal that ends the router, and waits. Returns the exit code, and the seconds that the end took.
  func terminate(by signal: Int32 = SIGTERM) -> (code: Int32?, seconds: Double) {
    let start = Date()
    child.send(signal: signal)
    let code = child.wait(seconds: 10)
    return (code, -start.timeIntervalSinceNow)
  }
}
