import Numbers
import SystemCalls

/// Times of events as people write and read them. All are seconds since 1970.
enum EventTime {
  /// A time as a person writes it: so long ago (`90s`, `10m`, `2h`), the last such time of day (`19:30`), or a date and time in UTC.
  static func seconds(_ text: String, now: Double) -> Double? {
    if let unit = ["s": 1.0, "m": 60, "h": 3_600][text.suffix(1)],
      let count = PlainNumber.decimal(String(text.dropLast())), count >= 0
    {
      return now - count * unit
    }
    if let sinceMidnight = clock(text) {
      let today = System.localtime(Int(now)).sinceMidnight
      let ago = Double(today - sinceMidnight) + now - now.rounded(.down)
      return now - (ago < 0 ? ago + 86_400 : ago)
    }
    return seconds(ofUTC: text)
  }

  /// A date and time in UTC: `2026-11-22T20:04:05.123Z`, with or without the fraction.
  static func seconds(ofUTC text: String) -> Double? {
    let halves = text.split(separator: "T", omittingEmptySubsequences: false)
    guard halves.count == 2, halves[1].hasSuffix("Z") else { return nil }
    let parts = halves[1].dropLast().split(separator: ".", omittingEmptySubsequences: false)
    let date = halves[0].split(separator: "-").compactMap { Int($0) }
    guard date.count == 3, (1...2).contains(parts.count), let clock = clock(String(parts[0])) else {
      return nil
    }
    var fraction = 0.0
    if parts.count == 2 {
      guard let part = Double("0.\(parts[1])") else { return nil }
      fraction = part
    }
    return System.timegm(year: date[0], month: date[1], day: date[2]).map { Double($0 + clock) + fraction }
  }

  /// The local time of day with milliseconds: `20:04:05.123`.
  static func local(_ seconds: Double) -> String {
    let milliseconds = Int((seconds * 1_000).rounded())
    return "\(System.localtime(milliseconds / 1_000).time).\("\(1_000 + milliseconds % 1_000)".dropFirst())"
  }

  /// Seconds since midnight of `19:30` or `19:30:05`.
  private static func clock(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.count == 2 ? Int($0) : nil }
    guard (2...3).contains(parts.count), numbers.count == parts.count,
      (0...23).contains(numbers[0]), numbers.dropFirst().allSatisfy({ (0...59).contains($0) })
    else { return nil }
    return numbers[0] * 3_600 + numbers[1] * 60 + (numbers.count > 2 ? numbers[2] : 0)
  }
}
