import JSON5
import Parameters
import SessionModel

/// A chain of effects that several places may name.
enum NamedChain {}

extension PresetDocument {
  /// Puts the effects of chains in the places that name them.
  /// - Returns: problems with names that no chain has.
  mutating func useChains() -> [Problem] {
    let chains = chains
    var problems: [Problem] = []
    func effects(of name: String, at place: Place) -> [String] {
      if let chain = Identifier<NamedChain>(name).flatMap({ chains[$0] }) { return chain.map(\.value) }
      problems.append(Self.absence(of: name, among: chains.keys.map(\.name), at: place))
      return []
    }
    func use(_ leaves: inout [Leaf]) {
      guard let index = leaves.firstIndex(where: { $0.key == "effects" }),
        case .text(let name) = leaves[index].value
      else { return }
      let place = leaves[index].place
      let effects = effects(of: name, at: place)
      leaves[index] = Leaf("effects", .texts(effects), at: place, elements: effects.map { _ in place })
    }
    for id in ports.keys { ports.update(id) { use(&$0.leaves) } }
    for id in sessions.keys {
      sessions.update(id) { session in
        if var capture = session.capture {
          use(&capture.leaves)
          session.capture = capture
        }
        for stream in session.streams.keys { session.streams.update(stream) { use(&$0.leaves) } }
      }
    }
    settings = settings.map { setting in
      guard setting.parameter.kind == .effects, case .text(let name) = setting.value else { return setting }
      let effects = effects(of: name, at: setting.place)
      return SettingEntry(
        parameter: setting.parameter, target: setting.target, value: .texts(effects), place: setting.place)
    }
    return problems
  }

  private static func absence(of name: String, among chains: [String], at place: Place) -> Problem {
    let near = NearestName.suggestion(for: name, among: chains)
    let list = chains.isEmpty ? "" : ", or one of \(chains.map(\.quoted).joined(separator: ", "))"
    return place.problem(
      "there is no chain \(name.quoted) in \("chains".quoted)",
      fix: near.map { "did you mean \($0.quoted)?" } ?? "write a list such as [\"eq\"]\(list)")
  }
}
