import SessionModel
import Testing

@Suite("Registries")
struct RegistryTests {
  @Test("Values keep the order in which they were added, whatever is changed or removed")
  func order() {
    var registry = Registry<String, Int>()
    for (index, key) in ["c", "a", "b", "d"].enumerated() { registry[key] = index }
    registry["a"] = 10
    registry["c"] = nil
    registry["c"] = 7
    #expect(registry.keys == ["a", "b", "d", "c"])
    #expect(registry.values == [10, 2, 3, 7])
    #expect(registry.map(\.key) == registry.keys)
    #expect(registry.index(of: "d") == 2)
    #expect(registry.index(of: "x") == nil)
    #expect(registry.contains("b") && !registry.contains("x"))
    registry["x"] = nil
    #expect(registry.count == 4)
  }

  @Test(
    "A search with a cursor finds every key, in order and out of order, and changes no copy",
    arguments: [3, 40])
  func cursor(count: Int) {
    var registry = Registry<Int, Int>()
    for key in 0..<count { registry[key] = 0 }
    let copy = registry
    var cursor = Registry<Int, Int>.Cursor()
    let keys = Array(0..<count) + [count] + (0..<count).reversed() + [1, 0, 2]
    for key in keys {
      let value = registry.update(key, at: &cursor) { value in
        value += 1
        return value
      }
      #expect(value == registry[key] && (value != nil) == (key < count))
    }
    #expect(registry.values == (0..<count).map { $0 < 3 ? 3 : 2 })
    cursor = Registry<Int, Int>.Cursor()
    #expect(keys.map { copy.read($0, at: &cursor) { $0 } } == keys.map { $0 < count ? 0 : nil })
    #expect(copy.allMatch(registry) { $0 < $1 } && !copy.allMatch(registry) { $0 == $1 })
    #expect(!copy.allMatch(Registry()) { _, _ in true })
    #expect(Registry<Int, Int>().allMatch(Registry()) { _, _ in false })
  }

  @Test("Changing a registry does not change its copy")
  func copies() {
    var registry = Registry<String, [Int]>()
    registry["a"] = [1]
    registry["b"] = [2]
    let copy = registry
    registry["a"]?.append(3)
    #expect(copy["a"] == [1])
    #expect(registry["a"] == [1, 3])
    #expect(registry != copy)
    #expect(registry.keys(changedSince: copy) == ["a"])
    registry["a"] = [1]
    #expect(registry == copy)
    #expect(registry.keys(changedSince: copy).isEmpty)
    registry["c"] = []
    #expect(registry.keys(changedSince: copy) == ["c"])
  }

  @Test("A registry knows the keys that another one misses, and gives a part of itself in order")
  func parts() {
    var registry = Registry<String, Int>()
    let empty = registry
    for (index, key) in ["c", "a", "b"].enumerated() { registry[key] = index }
    var other = registry
    other["c"] = nil
    other["d"] = 3
    #expect(registry.keys(missingIn: registry).isEmpty && empty.keys(missingIn: registry).isEmpty)
    #expect(registry.keys(missingIn: other) == ["c"] && other.keys(missingIn: registry) == ["d"])
    #expect(registry.keys(missingIn: empty) == registry.keys)
    var part = registry.only(["b", "c", "x"])
    #expect(part.keys == ["c", "b"] && part.values == [0, 2])
    part.update("b") { $0 = 7 }
    part["a"] = 5
    #expect(part.keys == ["c", "b", "a"] && part["b"] == 7)
    #expect(registry.values == [0, 1, 2], "the part shares nothing that changes")
    #expect(registry.only([]).isEmpty && empty.only(["a"]).isEmpty)
  }

  private struct Refused: Error {}

  @Test("A change that throws half-way leaves the registry intact")
  func throwing() {
    var registry = Registry<String, [Int]>()
    func refuse(_ value: inout [Int]?) throws { value = [1]; throw Refused() }
    #expect(throws: Refused.self) { try refuse(&registry["a"]) }
    #expect(registry.keys == ["a"])
    #expect(registry["a"] == [1])
  }
}
