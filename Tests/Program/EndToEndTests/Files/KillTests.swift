import Testing

@Suite struct KillTests {
  @Test(
    "The router is killed while it stores presets and keeps its state: each file is whole, and all that was kept is back"
  )
  func kills() async throws {
    let run = try await KillRun(seed: .random(in: 0...999_999))
    #expect(try run.kill(times: 20) < 1)
  }
}
