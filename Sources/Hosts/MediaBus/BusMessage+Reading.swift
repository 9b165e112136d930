import CSystemd

extension BusMessage {
  /// All values of the message, up to one that is damaged. Reads the message once.
  func values() -> [BusValue] {
    var values: [BusValue] = []
    while let value = value() { values.append(value) }
    return values
  }

  private func value() -> BusValue? {
    var (type, contents): (CChar, UnsafePointer<CChar>?) = (0, nil)
    guard calls.bus.sd_bus_message_peek_type(pointer, &type, &contents) > 0 else { return nil }
    switch (Unicode.Scalar(UInt8(bitPattern: type)), contents.map { String(cString: $0) }) {
    case ("b", _): return read(type, Int32(0)).map { .bool($0 != 0) }
    case ("d", _): return read(type, 0.0).map { .double($0) }
    case ("x", _): return read(type, Int64(0)).map { .int($0) }
    case ("u", _): return read(type, UInt32(0)).map { .count($0) }
    case ("s", _): return text(type).map { .string($0) }
    case ("o", _): return text(type).map { .path($0) }
    case ("v", let contents?): return inside(type, contents) { value() ?? .other }.map { .variant($0) }
    case ("a", "s"?): return inside(type, "s") { values().compactMap(\.text) }.map { .strings($0) }
    case ("a", "{sv}"?): return inside(type, "{sv}") { table() }.map { .table($0) }
    default: return calls.bus.sd_bus_message_skip(pointer, nil) > 0 ? .other : nil
    }
  }

  private func table() -> [String: BusValue] {
    var table: [String: BusValue] = [:]
    let entry = CChar(UInt8(ascii: "e"))
    while let pair = inside(entry, "sv", { (value()?.text, value()) }) {
      if let key = pair.0, case .variant(let value)? = pair.1 { table[key] = value }
    }
    return table
  }

  /// Reads what is inside a container; nil if there is none of this kind.
  private func inside<Value>(_ type: CChar, _ contents: String, _ body: () -> Value) -> Value? {
    guard calls.bus.sd_bus_message_enter_container(pointer, type, contents) > 0 else { return nil }
    let value = body()
    return calls.bus.sd_bus_message_exit_container(pointer) < 0 ? nil : value
  }

  private func read<Value: BitwiseCopyable>(_ type: CChar, _ empty: Value) -> Value? {
    var value = empty
    return calls.bus.sd_bus_message_read_basic(pointer, type, &value) > 0 ? value : nil
  }

  private func text(_ type: CChar) -> String? {
    read(type, UnsafePointer<CChar>?.none).flatMap { $0.map { String(cString: $0) } }
  }
}
