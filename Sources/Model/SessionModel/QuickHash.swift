/// Hashes numbers for the keys of large sets and dictionaries, faster than `Hasher` does.
public enum QuickHash {
  /// A number whose every bit depends on every bit of the key and of the seed (the finalizer of MurmurHash3).
  @inlinable public static func value(of key: UInt64, seed: Int) -> Int {
    var hash = key ^ (UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15)
    hash = (hash ^ (hash &>> 33)) &* 0xFF51_AFD7_ED55_8CCD
    hash = (hash ^ (hash &>> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return Int(truncatingIfNeeded: hash ^ (hash &>> 33))
  }
}
