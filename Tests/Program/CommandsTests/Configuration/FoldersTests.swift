import Foundation
import Testing

@testable import Commands

@Suite("Folders follow XDG")
struct FoldersTests {
  @Test("Without variables the folders are in the home folder, then in /etc")
  func usual() {
    let folders = Folders(Environment(["HOME": "/home/user"]))
    #expect(
      folders.configurations == ["/home/user/.config/multiroute/config.json", "/etc/multiroute/config.json"])
    #expect(folders.presets == ["/home/user/.config/multiroute/presets", "/etc/multiroute/presets"])
    #expect(folders.media == ["/home/user/.local/share/multiroute/media"])
    #expect(folders.state == "/home/user/.local/state/multiroute")
    #expect(folders.share == nil)
  }

  @Test("Variables change the folders, if they contain absolute paths")
  func variables() {
    let folders = Folders(
      Environment([
        "HOME": "/home/user", "XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "s", "XDG_DATA_HOME": "/d",
        "MULTIROUTE_SHARE": "/source",
      ]))
    #expect(folders.configurations.first == "/c/multiroute/config.json")
    #expect(folders.state == "/home/user/.local/state/multiroute")
    #expect(folders.presets == ["/c/multiroute/presets", "/etc/multiroute/presets", "/source/presets"])
    #expect(folders.media == ["/d/multiroute/media", "/source/presets/media"])
  }

  @Test("The shipped presets and media are found beside the program")
  func share() throws {
    let root = try TemporaryFolder()
    let share = try root.folder("share/multiroute")
    let environment = Environment(["HOME": "/h"], executable: root.path("bin/multiroute"))
    #expect(Folders(environment).share == share)
    #expect(Folders(Environment([:], executable: "/no/such/bin/multiroute")).share == nil)
  }

  @Test("Folders of flags and configuration replace the user's own folders, not the shipped ones")
  func own() {
    var folders = Folders(Environment(["HOME": "/h", "MULTIROUTE_SHARE": "/s"]))
    folders.replaceOwn(presets: "/mine", media: "/m", state: "/st")
    #expect(folders.presets == ["/mine", "/etc/multiroute/presets", "/s/presets"])
    #expect(folders.media == ["/m", "/s/presets/media"])
    #expect(folders.state == "/st")
  }
}
