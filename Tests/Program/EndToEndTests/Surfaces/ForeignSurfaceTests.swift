import Checkout
import Foundation
import TestKit
import Testing

/// Surfaces that are written with other libraries: python-osc and pyliblo3, each at two ports, as tablets are.
@Suite struct ForeignSurfaceTests {
  /// Runs a script of Python with the router's port, and returns what it prints.
  private func run(_ script: String, _ house: House) throws -> [String] {
    let child = try ChildProcess(
      "python3", ["-c", script, "\(house.router.port)"],
      environment: ["PYTHONPATH": Checkout.file(".build/python")])
    #expect(child.wait(seconds: 40) == 0, "\(child.errors.text)")
    return child.output.text.split(separator: "\n").map(String.init)
  }

  /// A surface that sends by one socket and receives at another port, with the messages that it has got.
  private static let pythonSurface = """
    import sys, threading, time
    from pythonosc.udp_client import SimpleUDPClient
    from pythonosc.osc_server import BlockingOSCUDPServer
    from pythonosc.dispatcher import Dispatcher

    FADER = "/session/show/stream/band/fader"

    class Surface:
        def __init__(self):
            self.heard, self.bell = [], threading.Condition()
            dispatcher = Dispatcher()
            dispatcher.set_default_handler(self.note)
            self.server = BlockingOSCUDPServer(("127.0.0.1", 0), dispatcher)
            threading.Thread(target=self.server.serve_forever, daemon=True).start()
            self.client = SimpleUDPClient("127.0.0.1", int(sys.argv[1]))
            self.client.send_message("/subscribe", ["/session/show/stream/band", 30, self.server.server_address[1]])
            self.wait(lambda: any(address == "/snapshot/end" for address, _ in self.heard))
            self.take()
        def note(self, address, *values):
            if address not in ("/seq", "/alive"):
                with self.bell:
                    self.heard.append((address, values))
                    self.bell.notify_all()
        def wait(self, is_so):
            with self.bell:
                assert self.bell.wait_for(is_so, 10), self.heard
        def take(self):
            with self.bell:
                taken, self.heard = self.heard, []
            return taken
        def faders(self):
            return [round(values[0], 4) for address, values in self.take() if address == FADER]
        def move(self, value):
            self.client.send_message(FADER, value)

    """

  @Test("Two surfaces of python-osc on one fader: no fight, one confirming value, and the other follows")
  func twoSurfaces() async throws {
    let house = try await House()
    let lines = try run(
      Self.pythonSurface + """
        a, b = Surface(), Surface()
        for step in range(1, 51):
            a.move(step / 100)
            time.sleep(0.02)
        # A machine that stands still for 0.2 s lets the fader rest, so that single values may come (EchoTests has the exact rule).
        during = len(a.faders())
        a.wait(lambda: any(address == FADER for address, _ in a.heard))
        time.sleep(0.3)
        followed = b.faders()
        print("moving", during < 4, "confirmed", a.faders(), "followed", len(followed) > 15, followed[-1])
        a.move(0.5)
        b.move(0.5)
        time.sleep(0.05)
        a.take(), b.take()
        for step in range(1, 51):
            a.move(0.5 + step / 200)
            b.move(0.5 - step / 200)
            time.sleep(0.02)
        a.wait(lambda: any(address == FADER for address, _ in a.heard))
        b.wait(lambda: any(address == FADER for address, _ in b.heard))
        time.sleep(0.3)
        heard = (a.faders(), b.faders())
        print("both", heard[0][-1], heard[1][-1], max(map(len, heard)) < 5)
        """, house)
    #expect(
      lines == ["moving True confirmed [0.5] followed True 0.5", "both 0.25 0.25 True"], "\(lines)")
    #expect(try house.surface.number("/session/show/stream/band/fader") == 0.25)
  }

  @Test("Bundles of python-osc take effect at their times for a surface that asks for it, else at once")
  func bundles() async throws {
    let house = try await House()
    let lines = try run(
      Self.pythonSurface + """
        from pythonosc.osc_bundle_builder import OscBundleBuilder
        from pythonosc.osc_message_builder import OscMessageBuilder
        def bundle(ahead, value, *inner):
            builder = OscBundleBuilder(time.time() + ahead)
            message = OscMessageBuilder(address=FADER)
            message.add_arg(value)
            builder.add_content(message.build())
            for other in inner:
                builder.add_content(other)
            return builder.build()
        a = Surface()
        a.client.send_message("/client/echo", "always")
        a.client.send(bundle(30, 0.1))
        a.wait(lambda: any(address == FADER for address, _ in a.heard))
        print("at once", a.faders())
        a.client.send_message("/client/timetags", "honour")
        begin = time.time()
        a.client.send(bundle(0.9, 0.4, bundle(0.6, 0.3, bundle(0.3, 0.2))))
        a.wait(lambda: sum(address == FADER for address, _ in a.heard) == 3)
        print("in time", a.faders(), 0.89 < time.time() - begin < 3)
        a.client.send(bundle(3600, 0.9))
        a.wait(lambda: any(address == "/error" for address, _ in a.heard))
        print([values[2] for address, values in a.take() if address == "/error"])
        """, house)
    #expect(lines == ["at once [0.1]", "in time [0.2, 0.3, 0.4] True", "['tooFar']"], "\(lines)")
  }

  @Test("pyliblo3 reads, sets, subscribes, and sends a bundle that takes effect as a whole")
  func pyliblo() async throws {
    let house = try await House()
    let lines = try run(
      """
      import sys, time
      import pyliblo3 as liblo
      heard = []
      server = liblo.Server()
      server.add_method(None, None, lambda path, args, types, source: heard.append((path, types, args)))
      router = liblo.Address("127.0.0.1", int(sys.argv[1]))
      def wait(path):
          end = time.time() + 10
          while time.time() < end:
              found = [entry for entry in heard if entry[0] == path]
              if found:
                  heard.clear()
                  return found[-1]
              server.recv(100)
          raise SystemExit("nothing came for " + path + ": " + str(heard))
      server.send(router, "/output/usb/gain")
      print("get", wait("/output/usb/gain")[1:])
      server.send(router, "/request", ("i", 5), ("s", "/output/usb/gain"), ("f", -6))
      print("response", wait("/response")[2])
      server.send(router, "/subscribe", "/output/usb")
      wait("/snapshot/end")
      server.send(router, "/client/boolean", "tf")
      server.send(router, liblo.Bundle(liblo.Message("/output/usb/mute", True), liblo.Message("/output/usb/gain", -9.5)))
      print("feedback", wait("/output/usb/gain")[1:])
      server.send(router, "/output/usb/mute")
      print("switch", wait("/output/usb/mute")[1:])
      server.send(router, liblo.Bundle(liblo.Message("/output/usb/mute", False), liblo.Message("/output/usb/gain", 99.0)))
      print("refused", wait("/error")[2][:3])
      """, house)
    #expect(
      lines == [
        "get ('f', [0.0])", "response [5, 0, '/output/usb/gain', -6.0]", "feedback ('f', [-9.5])",
        "switch ('T', [True])", "refused ['/output/usb/gain', 4, 'outOfRange']",
      ], "\(lines)")
    #expect(try house.surface.value("/output/usb/mute") == 1)
  }
}
