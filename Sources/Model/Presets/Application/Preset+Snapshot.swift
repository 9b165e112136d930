import JSON5
import Parameters
public import SessionModel

extension Preset {
  /// The settings of a state as a preset. Recalled later, it brings all of them back, and removes sessions that were made since.
  ///
  /// - Parameters:
  ///   - id: the id of the preset that was in force.
  ///   - time: router time in seconds, on which the places of players depend.
  public init(of state: RouterState, id: PresetID, at time: Double = 0) {
    let head = KeptHead(preset: id.name, path: "", hash: "", time: "")
    let text = KeptDocument.json(of: state, head: head, at: time).text
    let file = "the state before"
    let root = JSON5Reader.read(Array(text.utf8), file: file, sizeLimit: KeptDocument.sizeLimit).value
    var document = PresetDocument()
    if let root {
      let reader = ValueReader(root, log: ProblemLog(file: file))
      document = DocumentReader.document(reader)
      document.others = Placed(value: .remove, place: reader.place)
    }
    self.init(id: id, file: file, hash: ContentHash(), document: document)
  }
}

extension Parameter {
  /// Whether the parameter belongs to a session or a port, and not to the router.
  var isOfObject: Bool { ["session", "output", "input"].contains(parts.first) }
}
