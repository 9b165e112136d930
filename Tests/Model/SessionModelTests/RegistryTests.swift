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
