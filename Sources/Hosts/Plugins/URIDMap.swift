import Synchronization

/// Numbers for URIs, as plugins want them. Any thread may ask: plugins do so mostly while they are loaded. Numbers are never taken back.
final class URIDMap: Sendable {
  private struct Table: @unchecked Sendable {
    // Unchecked: the texts are written once and never freed.
    var numbers: [String: UInt32] = [:]
    var texts: [UnsafePointer<CChar>] = []
  }

  private let table = Mutex(Table())

  subscript(uri: String) -> UInt32 {
    table.withLock { table in
      if let number = table.numbers[uri] { return number }
      let bytes = uri.utf8CString
      let text = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
      for (index, byte) in bytes.enumerated() { text[index] = byte }
      table.texts.append(UnsafePointer(text))
      let number = UInt32(table.texts.count)
      table.numbers[uri] = number
      return number
    }
  }

  /// The URI of a number; nil if it has none.
  func text(_ number: UInt32) -> UnsafePointer<CChar>? {
    table.withLock { table in
      number > 0 && number <= table.texts.count ? table.texts[Int(number) - 1] : nil
    }
  }
}
