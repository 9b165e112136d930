import Commands
import ControlInterface
import KeptState
import OSC
import OSCSurface
import Router
import SessionModel
import Synchronization
import SystemCalls
import Threads
import Tokens
import Writers

/// Makes tokens for mixes and QR codes for clients, and keeps the tokens in their file.
final class TokenDesk: Sendable {
  private let file: TokenFile
  private let writer: LatestWriter<[MixToken]>
  /// Those of earlier runs.
  private let kept: [MixToken]
  private let state = Mutex(State())

  private struct State {
    var house: House?
    /// The number of threads that work for clients.
    var working = 0
  }

  private struct House {
    let service: RouterService
    let surface: SurfaceService
  }

  /// Greatest number of errands at a time.
  private static let mostErrands = 16
  /// Seconds to wait for a running write at the end.
  private static let patience = 0.2

  /// Reads the tokens of earlier runs.
  init(_ file: TokenFile, _ console: Console) {
    self.file = file
    writer = LatestWriter(name: "mr-tokens") { tokens in
      do throws(SystemError) { try file.write(tokens) } catch {
        console.tell("multiroute: the tokens cannot be saved in \(file.path): \(error.reason)")
      }
    }
    do throws(SystemError) { kept = try file.read() } catch {
      kept = []
      console.tell(
        "multiroute: \(file.path) is ignored, so the tokens of earlier runs have no right: \(error.reason)")
    }
    // The policy thread must not wait for the library later.
    if !kept.isEmpty { _ = try? TokenSecret.hash(of: "") }
  }

  /// What the surface needs.
  var tokens: MixTokens {
    MixTokens(
      kept,
      MixTokens.Tools(
        hash: { (try? TokenSecret.hash(of: $0)) ?? nil }, now: System.realtime,
        keep: { [writer] in writer.post($0) }))
  }

  /// Begins to carry out errands.
  func open(to service: RouterService, _ surface: SurfaceService) {
    state.withLock { $0.house = House(service: service, surface: surface) }
  }

  /// Takes an errand; never waits. Any thread may call.
  /// - Throws: `SessionError` notYet before `open`, full, or resourceNotAvailable.
  func add(_ errand: Surface.Errand) throws(SessionError) {
    let house: House? = state.withLock { state in
      guard state.house != nil, state.working < Self.mostErrands else { return nil }
      state.working += 1
      return state.house
    }
    guard let house else {
      throw SessionError(.full, "the router makes no further token now; send the command again later")
    }
    do throws(OwnThread.Failure) {
      try OwnThread.start("mr-token") { [self] in
        carryOut(errand, house)
        state.withLock { $0.working -= 1 }
      }.detach()
    } catch {
      state.withLock { $0.working -= 1 }
      throw SessionError(.resourceNotAvailable, "the system has no thread left for a token")
    }
  }

  private func carryOut(_ errand: Surface.Errand, _ house: House) {
    let result: Result<@Sendable (SurfaceService) throws(SessionError) -> [OSCArgument], SessionError>
    do throws(SessionError) {
      switch errand.job {
      case .token(let output, let name, let seconds):
        result = .success(try Self.token(output, name, seconds))
      case .code(let text):
        let code = try Self.code(text)
        result = .success { _ in [.int32(Int32(code.size)), .string(code.modules)] }
      default: return
      }
    } catch { result = .failure(error) }
    house.service.post { _ in
      do throws(SessionError) {
        house.surface.answer(errand, rows: [try result.get()(house.surface)])
      } catch {
        house.surface.answer([errand], error)
      }
    }
  }

  /// What adds a new token on the policy thread.
  private static func token(
    _ output: PortID, _ name: String, _ seconds: Double
  ) throws(SessionError) -> @Sendable (SurfaceService) throws(SessionError) -> [OSCArgument] {
    let secret = TokenSecret.random()
    guard let hash = try found({ () throws(DynamicLibrary.Missing) in try TokenSecret.hash(of: secret) })
    else {
      throw SessionError(.io, "libcrypt refuses to hash a token")
    }
    return { surface throws(SessionError) in
      let token = try surface.addToken(output, name: name, seconds: seconds, hash: hash)
      return [
        .int32(Int32(clamping: token.id)), .string(token.name), .string(token.output.name), .string(secret),
        .int32(Int32(clamping: Int(seconds))),
      ]
    }
  }

  private static func code(_ text: String) throws(SessionError) -> QRCode {
    guard let code = try found({ () throws(DynamicLibrary.Missing) in try QRCode(text) }) else {
      throw SessionError(.badValue, "a text for a QR code has 1 to \(QRCode.mostBytes) bytes")
    }
    return code
  }

  private static func found<Value>(
    _ body: () throws(DynamicLibrary.Missing) -> Value
  ) throws(SessionError) -> Value {
    do throws(DynamicLibrary.Missing) { return try body() } catch {
      throw SessionError(.resourceNotAvailable, "\(error)")
    }
  }

  /// Writes what waits.
  func close() { writer.finish(within: Self.patience) }
}
