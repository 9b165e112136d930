import Checkout
import Commands
import ControlInterface
import Foundation
import Testing

@Suite("The configuration of an earlier version is read")
struct EarlierConfigurationTests {
  @Test("Every file config.json below Tests/Earlier has no mistake and no warning")
  func read() throws {
    let folder = "Tests/Earlier"
    let versions = try FileManager.default.contentsOfDirectory(atPath: Checkout.file(folder))
    let paths = versions.map { "\(folder)/\($0)/config.json" }.filter {
      FileManager.default.fileExists(atPath: Checkout.file($0))
    }
    #expect(paths.count >= 2)
    for path in paths {
      let (configuration, problems) = ConfigurationReader.read(
        try Checkout.bytes(path), file: path, environment: Environment(["HOME": "/nowhere"]))
      #expect(problems.map { "\($0)" } == [])
      #expect(configuration?.admission.hosts.isEmpty == false, "\(path)")
    }
  }
}
