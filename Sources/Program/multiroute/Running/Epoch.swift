/// A number that differs between two runs of the router, and between two routers that start in the same second.
enum Epoch {
  static var now: Int32 { Int32.random(in: 1 ... .max) }
}
