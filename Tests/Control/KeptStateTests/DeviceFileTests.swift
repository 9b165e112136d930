import KeptState
import SessionModel
import TemporaryFolders
import Testing

@Suite struct DeviceFileTests {
  @Test("The ids of found devices are read as they were written; a damaged file has none")
  func file() throws {
    let folder = try TemporaryFolder()
    let file = DeviceFile(path: folder.file("router.devices"))
    #expect(file.read() == KnownDevices())
    var devices = KnownDevices()
    devices.note("twin-dac", of: KnownDevices.Device(.output, "alsa_output.usb-Twin_1"))
    devices.note("twin-dac-2", of: KnownDevices.Device(.output, "odd \"name\" \u{e9}"))
    devices.note("twin-dac", of: KnownDevices.Device(.input, "alsa_input.usb-Twin_1"))
    try file.write(devices)
    #expect(file.read() == devices)
    _ = try folder.write("{ output: ", to: "router.devices")
    #expect(file.read() == KnownDevices())
  }

  @Test("An id belongs to one device, and the devices of longest ago are forgotten")
  func limits() {
    var devices = KnownDevices()
    for number in 0...KnownDevices.limit {
      devices.note(PortID("d\(number)")!, of: KnownDevices.Device(.output, "device \(number)"))
    }
    #expect(devices.ids.count == KnownDevices.limit && devices.ids.keys.first?.name == "device 1")
    devices.note("d5", of: KnownDevices.Device(.output, "other"))
    #expect(devices.ids[KnownDevices.Device(.output, "other")] == nil)
  }
}
