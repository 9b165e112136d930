import Glibc

/// The places that a machine has for JACK servers, as jackd2 keeps them in a file of shared memory for all its users.
///
/// jackd gives its place back when it ends. That of one that was killed stays taken until a server of the same name and user
/// starts; once all are taken, no other server starts any more. Reading is all that is done here: who gives places back is
/// jackd itself.
public struct ServerPlaces {
  /// A place that is taken.
  public struct Place: Hashable, Sendable {
    public let server: String
    /// The user's number.
    public let user: UInt32
    /// The server's process, which may be gone.
    public let process: Int32

    public init(server: String, user: UInt32, process: Int32) {
      (self.server, self.user, self.process) = (server, user, process)
    }

    /// Whether the server has died without giving its place back.
    public var isAbandoned: Bool { kill(process, 0) != 0 && errno == ESRCH }
  }

  public let taken: [Place]
  public var isFull: Bool { taken.count == Self.limit }

  // `MAX_SERVERS`, `JACK_SERVER_NAME_SIZE`, `jack_shm_header_t` and `jack_shm_server_t` of jackd2 (shm.h, JackConstants.h).
  private static let limit = 8
  private static let magic: UInt32 = 0x4A41_434B
  private static let offset = 24
  private static let size = 264
  private static let path = "/dev/shm/jack-shm-registry"

  /// Reads who has a place; nobody has where there is no file, or one of another jackd than ours is made for.
  public init() { taken = Self.head().map(Self.places(in:)) ?? [] }

  /// The file's first part, which names the servers.
  private static func head() -> [UInt8]? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: offset + limit * size)
    return fread(&bytes, 1, bytes.count, file) == bytes.count ? bytes : nil
  }

  private static func places(in head: [UInt8]) -> [Place] {
    head.withUnsafeBytes { bytes in
      guard bytes.loadUnaligned(as: UInt32.self) == magic else { return [] }
      return (0..<limit).compactMap { index in
        let start = offset + index * size
        let process = bytes.loadUnaligned(fromByteOffset: start, as: Int32.self)
        let name = bytes[(start + 4)..<(start + size)].prefix { $0 != 0 }
        return process == 0 ? nil : Place(String(decoding: name, as: UTF8.self), process: process)
      }
    }
  }
}

extension ServerPlaces.Place: CustomStringConvertible {
  /// - Parameter name: as jackd writes it, `jack-USER:SERVER:`.
  fileprivate init(_ name: String, process: Int32) {
    let parts = name.split(separator: ":", omittingEmptySubsequences: false)
    self.init(
      server: parts.dropFirst().dropLast().joined(separator: ":"),
      user: parts.first.flatMap { UInt32($0.dropFirst("jack-".count)) } ?? .max, process: process)
  }

  /// With what runs under the process's number now: another program than jackd if the number was used again.
  public var description: String { "\"\(server)\" (process \(process)\(program.map { ", \($0)" } ?? ""))" }

  private var program: String? {
    guard let file = fopen("/proc/\(process)/comm", "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}
