import HTTPClient
import TestKit
import Testing

/// The page for browsers, as a running router serves it. `Tests/Browser` tries it in a browser.
@Suite struct BrowserPageTests {
  @Test("A browser gets the page at /, and a client of OSCQuery the tree; files are not sent twice")
  func page() async throws {
    let house = try await House(flags: ["--http", "127.0.0.1:0"])
    let said = house.router.child.errors.text
    let place = try #require(said.firstMatch(of: /WebSocket are at http:\/\/127.0.0.1:([0-9]+)\//), "\(said)")
    let connection = try HTTPConnection(port: try #require(UInt16(place.1)))
    let page = try #require(connection.ask("GET", "/", fields: ["Accept: text/html,*/*;q=0.8"]))
    #expect(page.status == 200 && page.fields["content-type"] == "text/html; charset=utf-8")
    #expect(page.fields["content-security-policy"]?.contains("script-src 'self'") == true)
    #expect(page.text.contains("<html"))
    let tree = try #require(connection.ask("GET", "/"))
    #expect(tree.fields["content-type"] == "application/json" && tree.text.contains(#""FULL_PATH""#))
    for file in ["/app.js", "/style.css", "/elements.js", "/core/osc.js"] {
      let answer = try #require(connection.ask("GET", file))
      #expect(answer.status == 200 && !answer.body.isEmpty, "\(file)")
      let tag = try #require(answer.fields["etag"])
      let again = try #require(connection.ask("GET", file, fields: ["If-None-Match: \(tag)"]))
      #expect(again.status == 304 && again.body.isEmpty, "\(file)")
    }
    #expect(connection.ask("GET", "/core/nothing.js")?.status == 404)
    #expect(house.router.terminate().code == 0)
  }
}
