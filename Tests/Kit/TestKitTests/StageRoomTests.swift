import TestKit
import Testing

/// The rooms of a stage.
@Suite struct StageRoomTests {
  @Test("A room may take the place of another one while sound passes through both")
  func replaced() async throws {
    let server = try await PrivateServer()
    let stage = try server.stage()
    try stage.do("device PA 8 0")
    try stage.do("device Desk 0 8")
    try stage.do("freewheel on")
    // The stage ends with a signal if the audio thread still uses a room that is freed.
    #expect(throws: Never.self) { for _ in 0..<200 { try stage.do("cable Desk PA 1300") } }
    try stage.do("freewheel off")
    try stage.do("frames 4800")
  }
}
