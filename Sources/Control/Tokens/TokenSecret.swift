import CCrypt
public import SystemCalls

/// The secret of a token: 24 random characters, which have 120 bits. The router keeps only its hash.
public enum TokenSecret {
  private static let library = DynamicLibrary.functions(
    mr_crypt(), mr_crypt_names(), of: .secrets)

  private static let characters = Array("abcdefghijkmnopqrstuvwxyz23456789")

  /// A new secret, from the system's random numbers.
  public static func random() -> String {
    String((0..<24).map { _ in characters.randomElement()! })
  }

  /// The hash of a secret (SHA-256 by crypt(3)), in half a millisecond. All have one salt: a secret is random, so nobody has a list of hashes.
  /// Any thread; the first call may wait for the disk.
  ///
  /// - Returns: nil for a text that crypt refuses, such as one of more than 511 bytes.
  /// - Throws: `Missing` if the library is not installed.
  public static func hash(of secret: String) throws(DynamicLibrary.Missing) -> String? {
    let calls = try library.get()
    return withUnsafeTemporaryAllocation(
      byteCount: MemoryLayout<crypt_data>.size, alignment: MemoryLayout<crypt_data>.alignment
    ) { room in
      _ = room.initializeMemory(as: UInt8.self, repeating: 0)
      return calls.crypt_rn(secret, "$5$rounds=1000$multiroute$", room.baseAddress, Int32(room.count)).map {
        String(cString: $0)
      }
    }
  }
}
