import CLilv
import CPlugins

/// The features that every plugin gets: numbers for URIs, the lengths of blocks, the sample rate. Lives as long as the last plugin.
///
/// Unchecked: it does not change after it is made, but for the map, which any thread may use.
final class HostFeatures: @unchecked Sendable {
  let settings: HostSettings
  let urids = URIDMap()
  let map: UnsafeMutablePointer<LV2_URID_Map>
  private let unmap: UnsafeMutablePointer<LV2_URID_Unmap>
  private let options: UnsafeMutablePointer<LV2_Options_Option>
  private let numbers: UnsafeMutablePointer<Int32>
  private let rate: UnsafeMutablePointer<Float>
  private let names: [UnsafeMutablePointer<CChar>]
  private let features: UnsafeMutablePointer<LV2_Feature>

  /// The features without data of their own come last.
  private static let names = [
    LV2.map, LV2.unmap, LV2.options, LV2.bounded, LV2.defaultState, LV2.safeRestore, LV2.core + "isLive",
  ]

  init(_ settings: HostSettings) {
    self.settings = settings
    map = .allocate(capacity: 1)
    unmap = .allocate(capacity: 1)
    let urids = Unmanaged.passUnretained(urids).toOpaque()
    map.initialize(
      to: LV2_URID_Map(handle: urids) { handle, uri in
        guard let handle, let uri else { return 0 }
        return Unmanaged<URIDMap>.fromOpaque(handle).takeUnretainedValue()[String(cString: uri)]
      })
    unmap.initialize(
      to: LV2_URID_Unmap(handle: urids) { handle, number in
        handle.flatMap { Unmanaged<URIDMap>.fromOpaque($0).takeUnretainedValue().text(number) }
      })
    // A piece of 16 frames may be cut by the end of the period.
    let whole = [
      (LV2.leastBlock, Int32(1)), (LV2.mostBlock, Int32(settings.frames)),
      (LV2.usualBlock, Int32(settings.frames)), (LV2.sequenceSize, Int32(8_192)),
    ]
    numbers = .allocate(capacity: whole.count)
    rate = .allocate(capacity: 1)
    rate.initialize(to: Float(settings.rate))
    options = .allocate(capacity: whole.count + 2)
    for (index, (uri, number)) in whole.enumerated() {
      (numbers + index).initialize(to: number)
      (options + index).initialize(
        to: LV2_Options_Option(
          context: LV2_OPTIONS_INSTANCE, subject: 0, key: self.urids[uri], size: 4, type: self.urids[LV2.int],
          value: numbers + index))
    }
    (options + whole.count).initialize(
      to: LV2_Options_Option(
        context: LV2_OPTIONS_INSTANCE, subject: 0, key: self.urids[LV2.rate], size: 4,
        type: self.urids[LV2.float], value: rate))
    (options + whole.count + 1).initialize(to: LV2_Options_Option())
    names = Self.names.map { copy($0) }
    features = .allocate(capacity: names.count)
    let data: [UnsafeMutableRawPointer?] = [.init(map), .init(unmap), .init(options), nil, nil, nil, nil]
    for (index, name) in names.enumerated() {
      (features + index).initialize(to: LV2_Feature(URI: UnsafePointer(name), data: data[index]))
    }
  }

  deinit {
    map.deallocate()
    unmap.deallocate()
    options.deallocate()
    numbers.deallocate()
    rate.deallocate()
    names.forEach { $0.deallocate() }
    features.deallocate()
  }

  /// Pointers to all of them.
  var all: [UnsafePointer<LV2_Feature>?] { names.indices.map { UnsafePointer(features + $0) } }
}

/// A text as C has it, which the caller deallocates.
func copy(_ text: String) -> UnsafeMutablePointer<CChar> {
  let bytes = text.utf8CString
  let memory = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
  for (index, byte) in bytes.enumerated() { memory[index] = byte }
  return memory
}
