import Scenes
import SessionModel
import SessionPolicy
import Testing

@testable import Presets

@Suite("Groups in presets")
struct GroupEntryTests {
  private func read(_ groups: String) -> (preset: Preset?, problems: [String]) {
    Show.read(Show.text(root: "groups: { \(groups) },"))
  }

  private func state(_ groups: String, from state: RouterState = Show.emptyState) throws -> RouterState {
    let (preset, problems) = read(groups)
    return try Show.state(state, after: try #require(preset, "\(problems)").events(for: state))
  }

  @Test("A group has its name, members, level, maximum, mute and switch")
  func settings() throws {
    let group = try #require(
      state(
        ##"drums: { name: "Drums", color: "#ff0000", members: ["session:show", "stream:*.click"], max: 3, gain: -6, mute: true, exclusive: true }"##
      ).groups["drums"])
    #expect(
      group.name == "Drums" && group.color?.text == "#ff0000"
        && group.members.map(\.text) == ["session:show", "stream:*.click"])
    #expect(group.maximum == 3 && group.gain.target == -6 && group.isMuted && group.isExclusive)
  }

  @Test(
    "Members that the preset does not make are a warning with the nearest name; what is no member is an error"
  )
  func members() {
    let (preset, warnings) = read(#"drums: { members: ["session:shaw", "session:iem-*", "output:usb"] }"#)
    #expect(
      preset != nil && warnings.count == 1 && warnings[0].contains("session:shaw")
        && warnings[0].contains("session:show"), "\(warnings)")
    let (none, errors) = read(#"drums: { members: ["group:other"] }"#)
    #expect(none == nil && errors.contains { $0.contains("a group has no groups") }, "\(errors)")
    #expect(read("drums: { max: -10, gain: 0 }").preset == nil)
    #expect(read("drums: { gian: 0 }").problems.contains { $0.contains("gain") })
  }

  @Test(
    "A preset that follows sets a group anew, resets what it does not name, and removes groups that only the former one names"
  )
  func succession() throws {
    let first = try #require(
      read(#"drums: { members: ["session:show"], mute: true, gain: -6 }, speech: {}"#).preset)
    let second = try #require(read(#"drums: { members: ["session:show"] }"#).preset)
    let law: PresetReader.Policy = { state, event, time throws(SessionError) in
      try Policy.reduce(&state, event, at: time)
    }
    var state = try Recall(first, replacing: nil).outcome(of: Show.emptyState, at: 0, law: law).state
    #expect(state.groups.count == 2 && state.groups["drums"]?.isMuted == true)
    state = try Recall(second, replacing: Predecessor(first, isEarlierVersion: false)).outcome(
      of: state, at: 0, law: law
    ).state
    #expect(state.groups.keys == ["drums"])
    #expect(state.groups["drums"]?.isMuted == false && state.groups["drums"]?.gain.target == 0)
  }
}
