import Testing

/// One row of the pattern table: a pattern, an address, and whether they match.
struct PatternRow: Sendable, CustomTestStringConvertible {
  enum Verdict: Sendable { case yes, no, reject }

  let pattern: String
  let address: String
  let verdict: Verdict

  init(_ pattern: String, _ address: String, _ verdict: Verdict) {
    self.pattern = pattern
    self.address = address
    self.verdict = verdict
  }

  var testDescription: String { "\(pattern) against \(address): \(verdict)" }

  /// OSC 1.0 read strictly, per part of the address; `reject` means that the pattern is malformed.
  static let table: [PatternRow] = [
    PatternRow("/a/b", "/a/b", .yes),
    PatternRow("/a/b", "/a/B", .no),
    PatternRow("/a*", "/a", .yes),
    PatternRow("/a*", "/a/b", .no),
    PatternRow("/*", "/a/b", .no),
    PatternRow("*", "/a/b", .reject),
    PatternRow("/a/*/c", "/a/b/x/c", .no),
    PatternRow("/a/*/c", "/a//c", .yes),
    PatternRow("/a?b", "/a/b", .no),
    PatternRow("/a?", "/a", .no),
    PatternRow("/[!a]", "/b", .yes),
    PatternRow("/x[!a]y", "/x/y", .no),
    PatternRow("/x[^a]y", "/xby", .no),
    PatternRow("/x[a-c]y", "/xby", .yes),
    PatternRow("/x[c-a]y", "/xby", .reject),
    PatternRow("/x[a-]y", "/x-y", .yes),
    PatternRow("/x[a-]y", "/xay", .yes),
    PatternRow("/x[-a]y", "/x-y", .yes),
    PatternRow("/x[a!]y", "/x!y", .yes),
    PatternRow("/x[!a!]y", "/x!y", .no),
    PatternRow("/x[!!]y", "/x!y", .no),
    PatternRow("/x[]y", "/xy", .reject),
    PatternRow("/x[ab", "/xa", .reject),
    PatternRow("/x[a-zA-Z0-9]y", "/xQy", .yes),
    PatternRow("/x[a-zA-Z0-9]y", "/x-y", .no),
    PatternRow("/x[0-9]y", "/x12y", .no),
    PatternRow("/x[abc]y", "/xcy", .yes),
    PatternRow("/x[abcde]y", "/xey", .yes),
    PatternRow("/{foo,bar}", "/foo", .yes),
    PatternRow("/{foo,bar}", "/bar", .yes),
    PatternRow("/{foo,foobar}", "/foobar", .yes),
    PatternRow("/{foobar,foo}", "/foo", .yes),
    PatternRow("/{foo,foobar}/x", "/foobar/x", .yes),
    PatternRow("/{a,b}{c,d}", "/bd", .yes),
    PatternRow("/{a,}x", "/x", .yes),
    PatternRow("/{a,}x", "/ax", .yes),
    PatternRow("/{,a}x", "/x", .yes),
    PatternRow("/{}x", "/x", .yes),
    PatternRow("/{a,b", "/a", .reject),
    PatternRow("/{a*,b}c", "/abcc", .reject),
    PatternRow("/{a,b*}", "/bxx", .reject),
    PatternRow("/{x,a/b}", "/a/b", .reject),
    PatternRow("/*{b,c}", "/ac", .yes),
    PatternRow("/*{b,c}/d", "/ac/d", .yes),
    PatternRow("/a{b,c}*", "/acxx", .yes),
    PatternRow("/*a*a", "/aa", .yes),
    PatternRow("/*a*a", "/a", .no),
    PatternRow("/**", "/a", .yes),
    PatternRow("/*?", "/a", .yes),
    PatternRow("/?*", "/a", .yes),
    PatternRow("/*?*", "/", .no),
    PatternRow("/*[a-d]", "/fooa", .yes),
    PatternRow("/foo*o", "/foo", .no),
    PatternRow("/fo*o", "/foo", .yes),
    PatternRow("//z", "/z", .reject),
    PatternRow("//z", "/a/b/z", .reject),
    PatternRow("/a//z", "/a/b/c/z", .reject),
    PatternRow("//z/w", "/x/z/w", .reject),
    PatternRow("//", "/a", .reject),
    PatternRow("/a//", "/a/b", .reject),
    PatternRow("/a//*", "/b/c", .reject),
    PatternRow("///z", "/x/z", .reject),
    PatternRow("/a/", "/a", .reject),
    PatternRow("", "/a", .reject),
    PatternRow("/", "", .reject),
    PatternRow("/", "/", .reject),
    PatternRow("/a b", "/a b", .reject),
    PatternRow("/a,b", "/a,b", .reject),
    PatternRow("/a#b", "/a#b", .reject),
    PatternRow("/a+", "/aa", .no),
    PatternRow("/A", "/a", .no),
    PatternRow("/x{1,10,11}y", "/x10y", .yes),
    PatternRow("/x{1,10,11}y", "/x2y", .no),
    PatternRow("/*/?", "/xy/z", .yes),
    PatternRow("/?/*", "/xy/z", .no),
    PatternRow("/é", "/é", .reject),
    PatternRow("/?", "/é", .yes),
    PatternRow("/??", "/é", .no),
    PatternRow("/{a,b}/{c,d}", "/c/a", .no),
    PatternRow("/second/?", "/second/2", .yes),
    PatternRow("/second/?", "/second/10", .no),
  ]
}
