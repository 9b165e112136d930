import JackBackend
import JackClient
import MixKernel
import PipeWire
import Router
import SessionModel

/// JACK as the router's audio server: one `JackBackend` per attachment, one after the other.
final class JackAudio: AudioBackend {
  private var backend: JackBackend?
  /// Looks for a server while there is none.
  private var seeker: ServerSeeker?
  /// Which server it looks for, nil for the default one.
  private var server: String?
  /// What the last server called us.
  private var lastName: String?
  /// What PipeWire knows of devices beyond JACK; jackd has no such directory.
  private let nodes = JackClient.isPipeWire ? NodeDirectory() : nil

  var clientName: String { backend?.clientName ?? "" }
  var sampleRate: Int { backend?.sampleRate ?? 0 }
  var period: Int { backend?.period ?? 0 }
  private(set) var serverIdentity: String?

  func seek(name: String, server: String?) {
    close()
    // After a server that died we come back as who we were.
    seeker = ServerSeeker(name: lastName ?? name, server: server, isReturning: lastName != nil)
    self.server = server
  }

  func takeFinding() -> Finding? {
    switch seeker?.take() {
    case nil: return nil
    case .success(let found):
      (backend, seeker) = (found, nil)
      return .found
    case .failure(let error): return .missing(explain(error))
    }
  }

  private func explain(_ error: JackError) -> BackendError {
    guard case .noServer = error else { return .refused("JACK refused: \(error)") }
    let which = server.map { "named '\($0)' " } ?? ""
    return .noServer(
      "no JACK server \(which)answers; start one, or use --start-server for a dummy one or --wait to wait for it"
    )
  }

  func open(
    kernel: (_ sampleRate: Int) -> UnsafeMutablePointer<KernelState>
  ) throws(BackendError) {
    guard let backend else { throw .noServer("no JACK server was found") }
    do throws(JackError) {
      try backend.start(kernel(backend.sampleRate))
      lastName = backend.clientName
      serverIdentity = ServerSocket.ofLibrary(server: server).identity
    } catch {
      throw .refused("JACK refused: \(error)")
    }
  }

  func close() {
    seeker?.stop()
    backend?.close()
    (seeker, backend, serverIdentity) = (nil, nil, nil)
    nodes?.restart()
  }

  func takeNotices() -> [ServerNotice] {
    guard let backend else { return [] }
    var notices = backend.takeNotices()
    if nodes?.takeNews() == true { notices.append(.portsChanged) }
    notices += (nodes?.takeRemarks() ?? []).map { .remark($0) }
    return notices
  }

  func requestPeriod(_ frames: Int) throws(BackendError) {
    do throws(JackError) { try backend?.setPeriod(frames) } catch { throw .refused("\(error)") }
  }

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
