import JSON5
import Parameters
import SessionModel

extension PresetCheck {
  /// Warns of strips whose targets the document does not make. The router may find the port, or a surface make the session.
  mutating func checkStrips() {
    guard let leaf = document.leaves["strips"], case .texts(let texts) = leaf.value else { return }
    for (text, place) in zip(texts, leaf.elements) {
      let address = text.split(separator: "=").last.map(String.init) ?? text
      guard let target = StripTarget(address), !rehearsed.exists(target) else { continue }
      report(
        place, "this preset makes no \(address), so the strip shows nothing while it does not exist",
        fix: rehearsed.advice(insteadOf: target), severity: .warning)
    }
  }
}
