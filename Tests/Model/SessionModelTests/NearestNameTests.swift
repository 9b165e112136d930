import Testing

@testable import SessionModel

@Suite("Nearest names")
struct NearestNameTests {
  @Test(
    "Each inserted, missing, wrong or swapped letter counts as one",
    arguments: [
      ("", "", 0), ("gain", "gain", 0), ("gain", "gains", 1), ("gain", "gan", 1), ("gain", "gaim", 1),
      ("gain", "gian", 1),
      ("gain", "", 4), ("", "mute", 4), ("kitten", "sitting", 3), ("ca", "abc", 3),
      ("category", "catgeroy", 2),
    ])
  func distance(left: String, right: String, distance: Int) {
    #expect(NearestName.distance(Array(left.utf8), Array(right.utf8)) == distance)
    #expect(NearestName.distance(Array(right.utf8), Array(left.utf8)) == distance)
  }

  @Test(
    "A near name is suggested",
    arguments: [
      ("gian", "gain"), ("GAIN", "gain"), ("multiroute", "multiRoute"), ("catagory", "category"),
      ("mixWithOther", "mixWithOthers"),
      ("mut", "mute"), ("--sever", "--server"), ("gain", "gain"),
    ])
  func near(name: String, expected: String) {
    let names = ["mute", "gain", "category", "multiRoute", "mixWithOthers", "--server"]
    #expect(NearestName.suggestion(for: name, among: names) == expected)
  }

  @Test(
    "A name that is near no other gets no suggestion",
    arguments: ["", "x", "volume", "ga", "/session", "tegorica"])
  func far(name: String) {
    #expect(NearestName.suggestion(for: name, among: ["mute", "gain", "category"]) == nil)
  }

  @Test("Of equally near names the first wins; a nearer one wins over it")
  func ties() {
    #expect(NearestName.suggestion(for: "bat", among: ["cat", "hat"]) == "cat")
    #expect(
      NearestName.suggestion(for: "category", among: ["categoryX", "Category", "category"]) == "Category")
    #expect(NearestName.suggestion(for: "a", among: ["b", ""]) == nil)
  }

  @Test("A very long name is not compared")
  func long() {
    let long = String(repeating: "a", count: 129)
    #expect(NearestName.suggestion(for: long, among: [long]) == nil)
  }
}
