/// Channels that a stream names and that a port does not have.
public struct MissingChannels: Equatable, Sendable {
  public var direction: Direction
  public var port: PortID
  /// Number of channels that the port has.
  public var present: Int
  /// The channels that it lacks, in ascending order.
  public var channels: [Int]

  /// The channels that a destination lacks at an output of `present` channels; nil if it lacks none.
  public init?(_ selection: ChannelSelection, width: Int, at output: PortID, having present: Int) {
    let missing = selection.missingChannels(width: width, channels: present, at: output)
    guard !missing.isEmpty else { return nil }
    (direction, port, self.present, channels) = (.output, output, present, missing)
  }

  /// The channels that a source lacks at an input of `present` channels; nil if it lacks none, or if its source is no input.
  public init?(_ source: StreamSource, having present: Int) {
    guard case .input(let input, let range?) = source, range.upperBound > present else { return nil }
    (direction, port, self.present) = (.input, input, present)
    channels = Array(max(range.lowerBound, present + 1)...range.upperBound)
  }

  /// `usb has 2 channels; channel 9 does not exist`
  public var sentence: String {
    let name = direction == .output ? port.name : "the input \(port)"
    let numbers = channels.map { "\($0)" }
    let list =
      channels.count > Self.mostListed
      ? "\(numbers[0]) to \(numbers[numbers.count - 1])"
      : (numbers.dropLast(2) + [numbers.suffix(2).joined(separator: " and ")]).joined(separator: ", ")
    let isOne = channels.count == 1
    return "\(name) has \(present.channelsText); \(isOne ? "channel" : "channels") \(list) "
      + (isOne ? "does not exist" : "do not exist")
  }

  /// Greatest number of channels that a sentence lists one by one.
  private static let mostListed = 4
}

extension RouterState {
  /// The channels that a session names and that the ports that are there do not have, as sentences.
  func missingChannels(of session: Session) -> [String] {
    var sentences: [String] = []
    func note(_ missing: MissingChannels?) {
      guard let sentence = missing?.sentence, !sentences.contains(sentence) else { return }
      sentences.append(sentence)
    }
    session.streams.forEachValue { stream in
      for source in stream.sources {
        guard case .input(let id, _) = source else { continue }
        inputs.read(id) { if $0.isAvailable { note(MissingChannels(source, having: $0.channels)) } }
      }
      forEachDestination(of: stream, in: session) { id, destination in
        guard destination.isOn else { return }
        outputs.read(id) { output in
          guard output.isAvailable else { return }
          note(MissingChannels(destination.channels, width: stream.channels, at: id, having: output.channels))
        }
      }
    }
    return sentences
  }

  /// Whether any source of a stream may exist: a program's ports, or a channel that its input has.
  func mayBeFed(_ stream: SessionStream) -> Bool {
    guard !stream.sources.isEmpty else { return true }
    return stream.sources.contains { source in
      guard case .input(let id, let range?) = source, let input = inputs[id], input.isAvailable else {
        return true
      }
      return range.lowerBound <= input.channels
    }
  }

  /// A multiRoute session sends each stream where the operator says, any other session to its one output.
  private func forEachDestination(
    of stream: SessionStream, in session: Session, _ body: (PortID, Destination) -> Void
  ) {
    guard session.category != .multiRoute else { return stream.destinations.forEachEntry(body) }
    if let output = session.route.outputs.first { body(output, Destination()) }
  }
}
