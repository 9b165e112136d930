@testable import Router

extension MixLevels {
  /// The level of a send; nil if there is none.
  subscript(send: SendKey) -> Level? { sends.first { $0.key == send }?.level }
}
