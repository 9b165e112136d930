import JSON5
public import SessionModel
public import SystemCalls

/// The file of the ids of found devices, which stays when the state is forgotten after a clean stop. Calls may wait for the disk.
public struct DeviceFile: Sendable {
  public let path: String

  public init(path: String) { self.path = path }

  private static let sizeLimit = 1 << 20

  /// Reads the file. A file that is missing or damaged has no ids, so that devices get ids as at the first start.
  public func read() -> KnownDevices {
    var devices = KnownDevices()
    guard let bytes = try? WholeFile.bytes(path, limit: Self.sizeLimit),
      case .object(let parts)? = JSON5Reader.read(bytes, file: path, sizeLimit: Self.sizeLimit).value?.kind
    else { return devices }
    for part in parts {
      guard let direction = Direction(rawValue: part.key), case .object(let entries) = part.value.kind else {
        continue
      }
      for entry in entries {
        guard case .string(let text) = entry.value.kind, let id = PortID(text) else { continue }
        devices.note(id, of: KnownDevices.Device(direction, entry.key))
      }
    }
    return devices
  }

  /// Replaces the file in one step.
  /// - Throws: `SystemError`; the old file then stays.
  public func write(_ devices: KnownDevices) throws(SystemError) {
    let parts = [Direction.output, .input].map { direction in
      JSONValue.Member(
        direction.rawValue,
        .object(
          devices.ids.filter { $0.key.direction == direction }.map {
            .init($0.key.name, .string($0.value.name))
          }))
    }
    try WholeFile.replace(path, with: Array(JSONValue.object(parts).text.utf8), permissions: 0o600)
  }
}
