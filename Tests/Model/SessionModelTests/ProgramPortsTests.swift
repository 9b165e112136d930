import SessionModel
import Testing

@Suite("Entries of JACK ports and programs") struct ProgramPortsTests {
  @Test(
    "An entry is written as it is read",
    arguments: [
      "mpv:out_*", "2=mpv:out_2", "{application=Firefox}",
      "{application=Fire\\,fox\\}\\\\,media=A = B,node=*}",
      "64={media=Some song}Firefox:output_FL", "12 strings:out", "*=x:y",
    ])
  func text(_ text: String) throws {
    let entry = try #require(ProgramPorts(text))
    #expect(entry.text == text)
    #expect(StreamSource(text) == .ports(entry))
  }

  @Test("An entry has a channel, names and a glob")
  func parts() throws {
    let entry = try #require(ProgramPorts("2={node=a\\,b,application=Fire*}Firefox:*"))
    #expect(entry.channel == 2 && entry.ports == PortGlob("Firefox:*"))
    #expect(entry.names == [.node: PortGlob("a,b")!, .application: PortGlob("Fire*")!])
    #expect(entry.text == "2={application=Fire*,node=a\\,b}Firefox:*")
  }

  @Test(
    "A text that describes nothing is refused",
    arguments: [
      "", "0=mpv:*", "65=mpv:*", "2=", "{}", "{application=}", "{application=a", "{colour=red}",
      "{application}",
      "{application=a,application=b}", "{application=a,}",
    ])
  func refused(_ text: String) { #expect(ProgramPorts(text) == nil) }

  @Test("All patterns must match; a program whose names are not known matches none of them")
  func accepts() throws {
    let entry = try #require(ProgramPorts("{application=Fire*,media=Song ?}"))
    func names(_ application: String, _ media: String) -> ProgramNames {
      ProgramNames(application: application, media: media, node: "x")
    }
    #expect(entry.accepts(names("Firefox", "Song 1")))
    #expect(!entry.accepts(names("Firefox", "Song 10")) && !entry.accepts(names("Chromium", "Song 1")))
    #expect(!entry.accepts(nil) && !entry.accepts(ProgramNames(client: "Firefox")))
    #expect(ProgramPorts("Firefox:*")?.accepts(nil) == true)
  }
}
