import SystemCalls

/// The machine's places for JACK servers, which jackd2 keeps in shared memory for all users.
///
/// jackd releases its place when it ends. The place of a killed jackd stays taken until a server of the same
/// name and user starts. Once all places are taken, no other server can start. This type only reads; jackd
/// itself releases places.
public struct ServerPlaces {
  /// A taken place.
  public struct Place: Hashable, Sendable {
    public let server: String
    /// The number of the user.
    public let user: UInt32
    /// The server's process number; the process may have ended.
    public let process: Int32

    public init(server: String, user: UInt32, process: Int32) {
      (self.server, self.user, self.process) = (server, user, process)
    }

    /// Whether the server died without releasing its place.
    public var isAbandoned: Bool { !System.exists(process) }
  }

  public let taken: [Place]
  public var isFull: Bool { taken.count == Self.limit }

  // Figures and layout of `MAX_SERVERS`, `JACK_SERVER_NAME_SIZE`, `jack_shm_header_t` and `jack_shm_server_t`
  // in jackd2 (shm.h, JackConstants.h).
  private static let limit = 8
  private static let magic: UInt32 = 0x4A41_434B
  private static let offset = 24
  private static let size = 264
  private static let path = "/dev/shm/jack-shm-registry"

  /// Reads the taken places. The list is empty if the file is missing or has another layout than this code
  /// expects.
  public init() { taken = Self.head().map(Self.places(in:)) ?? [] }

  /// The first part of the file, which contains the servers' names.
  private static func head() -> [UInt8]? {
    let size = offset + limit * size
    guard let bytes = try? WholeFile.bytes(path, limit: size), bytes.count == size else { return nil }
    return bytes
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
  /// - Parameter name: in jackd's form, `jack-USER:SERVER:`.
  fileprivate init(_ name: String, process: Int32) {
    let parts = name.split(separator: ":", omittingEmptySubsequences: false)
    self.init(
      server: parts.dropFirst().dropLast().joined(separator: ":"),
      user: parts.first.flatMap { UInt32($0.dropFirst("jack-".count)) } ?? .max, process: process)
  }

  /// Contains the program that now runs under the process number, since the system reuses numbers.
  public var description: String { "\"\(server)\" (process \(process)\(program.map { ", \($0)" } ?? ""))" }

  private var program: Substring? { WholeFile.lines("/proc/\(process)/comm").first }
}
