import Numbers
import Testing

@Suite struct NumberTextTests {
  @Test(
    "A number is written in full, without a fraction if it is whole",
    arguments: [
      (-6, "-6"), (0, "0"), (-0.0, "0"), (0.1, "0.1"), (1e15, "1000000000000000"), (1e300, "1e+300"),
    ])
  func short(_ number: Double, _ text: String) { #expect(number.shortText == text) }

  @Test(
    "A number in single precision is written as it was sent, and not as its neighbour in double precision")
  func single() {
    #expect(Float(-3.3).shortText == "-3.3")
    #expect(Double(Float(-3.3)).shortText == "-3.299999952316284")
    #expect(Float(2).shortText == "2")
  }

  @Test(
    "A number is rounded to some decimals, and never to minus zero",
    arguments: [
      (12.345, 1, "12.3"), (-12.35, 1, "-12.4"), (-0.04, 1, "0.0"), (0.999, 2, "1.00"), (5, 0, "5"),
      (0.5, 0, "1"),
      (2.05, 2, "2.05"), (-0.004, 3, "-0.004"), (.infinity, 1, "inf"), (1e12, 1, "1000000000000"),
    ])
  func exactly(_ number: Double, _ places: Int, _ text: String) {
    #expect(number.text(.exactly(places)) == text)
  }

  @Test(
    "Places.upTo leaves out zeros at the end",
    arguments: [
      (2, "2"), (0.5, "0.5"), (0.125, "0.125"), (0.1249, "0.125"), (10.5, "10.5"), (-0.0001, "0"),
      (100, "100"),
    ])
  func upTo(_ number: Double, _ text: String) { #expect(number.text(.upTo(3)) == text) }

  @Test("showsPlus adds a plus sign to numbers above 0, but not to those that are rounded to 0")
  func plus() {
    #expect(3.14.text(.exactly(1), showsPlus: true) == "+3.1")
    #expect((-3.14).text(.exactly(1), showsPlus: true) == "-3.1")
    #expect(0.01.text(.exactly(1), showsPlus: true) == "0.0")
  }
}
