import JackBackend
import JackClient
import MixKernel
import PipeWire
import Router
import SessionModel

/// JACK as the router's audio server: one `JackBackend` per attachment, one after the other.
final class JackAudio: AudioBackend {
  private var backend: JackBackend?
  /// What PipeWire knows of devices beyond JACK; jackd has no such directory.
  private let nodes = JackClient.isPipeWire ? NodeDirectory() : nil

  var clientName: String { backend?.clientName ?? "" }
  var sampleRate: Int { backend?.sampleRate ?? 0 }
  var period: Int { backend?.period ?? 0 }

  func open(
    name: String, server: String?, kernel: (_ sampleRate: Int) -> UnsafeMutablePointer<KernelState>
  ) throws(BackendError) {
    nodes?.restart()
    do throws(JackError) {
      backend = try JackBackend(name: name, server: server, kernel: kernel)
    } catch {
      guard case .noServer = error else { throw .refused("JACK refused: \(error)") }
      let which = server.map { "named '\($0)' " } ?? ""
      throw .noServer(
        "no JACK server \(which)answers; start one, or use --start-server for a dummy one or --wait to wait for it"
      )
    }
  }

  func close() {
    backend?.close()
    backend = nil
    nodes?.restart()
  }

  /// A server that stopped calling us without a word is gone, too.
  func takeNotices() -> [ServerNotice] {
    guard let backend else { return [] }
    var notices = backend.takeNotices()
    if nodes?.takeNews() == true { notices.append(.portsChanged) }
    notices += (nodes?.takeRemarks() ?? []).map { .remark($0) }
    let silence = Double(backend.silentPeriods * backend.period) / Double(max(1, backend.sampleRate))
    guard silence > Self.patience else { return notices }
    return notices + [.shutdown(reason: "no period for \(Int(silence)) s")]
  }

  /// Seconds without a period after which a server counts as gone.
  private static let patience = 5.0

  func register(_ name: String, prettyName: String, isSource: Bool) throws(BackendError) -> PortHandle {
    guard let backend else { throw .refused("there is no JACK server") }
    do throws(JackError) {
      let handle = try backend.registerPort(name, isInput: isSource)
      backend.setPrettyName(prettyName, of: handle)
      return handle
    } catch {
      throw .refused("\(error)")
    }
  }

  func unregister(_ port: PortHandle) { backend?.unregisterPort(port) }

  func systemPorts() -> [SystemPort] {
    let ports = backend?.systemPorts() ?? []
    return nodes?.describe(ports) ?? ports
  }

  func connections(of port: String) -> [String] { backend?.connections(of: port) ?? [] }

  func connect(_ source: String, to sink: String) -> Bool {
    do { try backend?.connect(source, to: sink) } catch { return false }
    return backend != nil
  }

  func disconnect(_ source: String, from sink: String) { backend?.disconnect(source, from: sink) }

  /// Paths that the server did not recompute yet are in force at its next occasion.
  func publish(_ paths: [LatencyPath]) { try? backend?.publishPaths(paths) }

  func playbackLatency(of port: String) -> Int { backend?.playbackLatency(of: port)?.upperBound ?? 0 }
  func captureLatency(of port: String) -> Int { backend?.captureLatency(of: port)?.upperBound ?? 0 }
}
