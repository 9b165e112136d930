import MixEngine
import SessionModel

/// What changes channels: width, the channels of inputs, and the section of outputs.
extension TopologyBuilder {
  /// A row that is heard in a channel of a stream, with its factor there.
  struct Way {
    var row: MixTopology.RowKey
    var scale: Float
  }

  /// All rows that are heard in a channel of a stream. Once the width of a stereo stream has been used, the other channel is among them; width is
  /// heard where the balance is.
  func ways(
    of stream: SessionStream, _ channel: Int, _ tap: Tap, in session: Session, side: Int? = nil
  ) -> [Way] {
    func way(_ feed: Feed, _ stage: StageKey? = nil) -> Way {
      var row = row(feed, stream, channel, tap, session, side: side)
      if let stage { row.stages.append(stage) }
      return Way(row: row, scale: feed.scale)
    }
    let own = feeds(of: stream, channel, in: session)
    guard tap == .post, stream.channels == 2, stream.width.isUsed else { return own.map { way($0) } }
    let crossed = feeds(of: stream, 3 - channel, in: session)
    return own.map { way($0, .streamWidth(session.id, stream.id, isCrossed: false)) }
      + crossed.map { way($0, .streamWidth(session.id, stream.id, isCrossed: true)) }
  }

  /// All that is heard in a channel of an input: its effects if they are heard; otherwise its JACK port, and once the width of a stereo input has
  /// been used, that of the other channel.
  func feeds(of id: PortID, _ channel: Int) -> [Feed] {
    processed(.input(id), channel).map { [$0] } ?? ownFeeds(of: id, channel)
  }

  /// The same without the input's effects.
  func ownFeeds(of id: PortID, _ channel: Int) -> [Feed] {
    guard let input = state.inputs[id] else { return [] }
    let trim: [StageKey] = input.trim.isUsed ? [.inputTrim(id)] : []
    func feed(_ channel: Int, _ stages: [StageKey]) -> Feed {
      Feed(
        point: .port(.input(id, channel)), scale: input.inverted.polarity(of: channel), stages: trim + stages)
    }
    guard input.isStereo, input.width.isUsed else { return [feed(channel, [])] }
    return [
      feed(channel, [.inputWidth(id, isCrossed: false)]),
      feed(3 - channel, [.inputWidth(id, isCrossed: true)]),
    ]
  }

  /// Moves new crosspoints of an output to the channels where the output plays them. One row may come to a channel by both in mono.
  /// - Parameter first: index of the first of them. All are of one send.
  mutating func placeCells(since first: Int, of output: Port) {
    guard output.placesOtherwise else { return }
    let cells = Array(topology.cells[first...])
    topology.cells.removeSubrange(first...)
    for cell in cells {
      guard case .port(.output(_, let channel)) = cell.key.sink else { continue }
      for place in output.places(of: channel) {
        var cell = cell
        cell.key.sink = .port(.output(output.id, place.channel))
        cell.key.scale *= place.factor
        let same = topology.cells[first...].firstIndex {
          $0.key.row == cell.key.row && $0.key.sink == cell.key.sink
        }
        if let same, output.section.isMono {
          topology.cells[same].key.scale += cell.key.scale
        } else {
          topology.cells.append(cell)
        }
      }
    }
  }

  mutating func addBalance(of output: Port) {
    guard output.isStereo, output.section.balance.isUsed else { return }
    for side in 0...1 {
      topology.balances[.port(.output(output.id, side + 1))] = .outputBalance(output.id, channel: side)
    }
  }
}
