internal import MediaKernel

/// An order with a number that grows from order to order.
protocol NumberedOrder: BitwiseCopyable {
  var serial: Int { get }
  /// No order.
  init()
}

extension DeckOrder: NumberedOrder {
  init() { self.init(serial: 0) }
}

extension TapOrder: NumberedOrder {
  init() { self.init(serial: 0) }
}

/// The newest order for each player, or each recorder, of the present structure, in the order of the audio thread's table.
struct OrderTable<Order: NumberedOrder> {
  private var indices: [ObjectIdentifier: Int] = [:]
  private var orders: [Order] = []

  /// Follows a new structure. A store that was there before keeps its order.
  mutating func use(_ stores: [ObjectIdentifier]) {
    let known = indices.mapValues { orders[$0] }
    indices = Dictionary(uniqueKeysWithValues: zip(stores, stores.indices))
    orders = stores.map { known[$0] ?? Order() }
  }

  /// Takes the order for a store, unless there is a newer one or the structure does not have the store.
  mutating func set(_ store: ObjectIdentifier, _ order: Order) {
    guard let index = indices[store], order.serial >= orders[index].serial else { return }
    orders[index] = order
  }

  /// Copies the orders into a table for the audio thread; nil if there are none.
  func place(in arena: Arena) -> UnsafeMutablePointer<Order>? { orders.isEmpty ? nil : arena.make(orders) }
}
