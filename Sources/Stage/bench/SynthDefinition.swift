/// A definition of a synthesizer for `scsynth` in its binary format: one input times the control `amp` goes to one output.
///
/// Source: SuperCollider, "Synth Definition File Format", version 1. Numbers are big-endian.
struct SynthDefinition {
  let name: String
  /// The bytes for `/d_recv`.
  private(set) var bytes: [UInt8] = []

  private enum Rate: UInt8 {
    case control = 1
    case audio = 2
  }

  /// An input of a unit: a constant by its index, or an output of another unit by the unit's index.
  private enum Input {
    case constant(Int16)
    case unit(Int16)
  }

  /// - Parameters:
  ///   - input: the bus of the input; the buses of the server's outputs come first.
  ///   - output: the bus of the output.
  init(name: String, input: Float, output: Float) {
    self.name = name
    bytes = Array("SCgf".utf8)
    add(Int32(1))
    add(Int16(1))
    add(name)
    add(Int16(2))
    add(input.bitPattern)
    add(output.bitPattern)
    // One control, which begins at 0.
    add(Int16(1))
    add(Float(0).bitPattern)
    add(Int16(1))
    add("amp")
    add(Int16(0))
    add(Int16(4))
    add(unit: "Control", .control, [], hasOutput: true)
    add(unit: "In", .audio, [.constant(0)], hasOutput: true)
    // The operator 2 multiplies.
    add(unit: "BinaryOpUGen", .audio, [.unit(1), .unit(0)], hasOutput: true, special: 2)
    add(unit: "Out", .audio, [.constant(1), .unit(2)], hasOutput: false)
    // No variants.
    add(Int16(0))
  }

  private mutating func add(
    unit: String, _ rate: Rate, _ inputs: [Input], hasOutput: Bool, special: Int16 = 0
  ) {
    add(unit)
    bytes.append(rate.rawValue)
    add(Int16(inputs.count))
    add(Int16(hasOutput ? 1 : 0))
    add(special)
    for input in inputs {
      switch input {
      case .constant(let index):
        add(Int16(-1))
        add(index)
      case .unit(let index):
        add(index)
        add(Int16(0))
      }
    }
    if hasOutput { bytes.append(rate.rawValue) }
  }

  private mutating func add(_ text: String) {
    bytes.append(UInt8(text.utf8.count))
    bytes += text.utf8
  }

  private mutating func add(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
  }
}
