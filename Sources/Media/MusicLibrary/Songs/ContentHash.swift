/// A number that bytes give, and that other bytes hardly give: FNV-1a (Fowler, Noll, Vo), and the last step of SplitMix64, which mixes its upper bits.
func contentHash(_ bytes: [UInt8]) -> UInt64 {
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
  hash = (hash ^ (hash >> 30)) &* 0xbf58_476d_1ce4_e5b9
  hash = (hash ^ (hash >> 27)) &* 0x94d0_49bb_1331_11eb
  return hash ^ (hash >> 31)
}
