import ControlInterface
import OSCSurface
import Parameters
import Router
import SessionModel
import SystemCalls
import WebServer

/// Recordings that clients download over HTTP.
extension MediaDesk {
  /// The path below which the recordings are.
  static let downloads = "/recordings/"

  /// Answers a request for a recording: only hosts with the right `admin` get one, and only one that is finished. On the desk's thread.
  func download(
    _ name: String, for host: HostAddress, _ service: RouterService, _ surface: SurfaceService
  ) -> WebAnswer {
    let (right, writer) = service.wait { router in
      (surface.right(of: host), await router.snapshot.writer(of: name)?.id)
    }
    guard right >= .admin else {
      return WebAnswer(
        status: 403, "\(host) has the right \(right); recordings go to hosts with admin only (see hosts)")
    }
    if let writer {
      return WebAnswer(
        status: 409, "\(writer) writes \(name) now; stop it first (/recorder/\(writer)/stop)")
    }
    do throws(SystemError) {
      guard let type = RecordingFolder.type(of: name), let file = try RecordingFolder(recordings).open(name)
      else { return WebAnswer(status: 404, "there is no such recording; /recorder/<r>/files lists them") }
      var answer = WebAnswer(type: type, file: file)
      answer.fields["Content-Disposition"] = Self.attachment(name)
      return answer
    } catch {
      return WebAnswer(status: 500, "\(name) cannot be read: \(error.reason)")
    }
  }

  /// Has a browser save the answer under a name (RFC 6266): in ASCII without what could end the text, and whole in UTF-8.
  static func attachment(_ name: String) -> String {
    func isPlain(_ byte: UInt8) -> Bool {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    let plain = name.unicodeScalars.map { $0.isASCII && isPlain(UInt8($0.value)) ? String($0) : "_" }
    let whole = name.utf8.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return isPlain(byte) ? String(UnicodeScalar(byte)) : "%\(byte < 16 ? "0" : "")\(digits)"
    }
    return "attachment; filename=\"\(plain.joined())\"; filename*=UTF-8''\(whole.joined())"
  }
}
