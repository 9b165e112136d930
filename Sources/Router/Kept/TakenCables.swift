/// Cables that exclusive streams took, which others must get back: at the same server, whatever becomes of this run.
public struct TakenCables: Equatable, Sendable {
  /// `AudioBackend.serverIdentity`
  var server: String
  var links: Set<Link>
}
