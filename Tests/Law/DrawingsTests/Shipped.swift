import Checkout
import Drawings
import Presets
import SessionModel
import SessionPolicy
import Testing

/// The presets that ship.
enum Shipped {
  static let ids = Checkout.names(in: "presets", ending: ".json").map { String($0.dropLast(5)) }

  static func plan(of id: String) throws -> RoutingPlan {
    let reader = PresetReader { state, event, time throws(SessionError) in
      try Policy.reduce(&state, event, at: time)
    }
    let library = PresetLibrary(folders: [Checkout.file("presets")])
    return RoutingPlan(of: try #require(try library.read(id, with: reader).preset), law: Policy.reduce)
  }
}
