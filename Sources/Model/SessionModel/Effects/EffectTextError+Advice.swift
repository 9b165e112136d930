public import Effects

extension EffectTextError {
  /// What would be right: the short name that was probably meant, or what the error says.
  public var advice: String {
    let near = unknownName.flatMap { NearestName.suggestion(for: $0, among: EffectName.all.map(\.name)) }
    return near.map { "did you mean '\($0)'?" } ?? fix
  }
}
