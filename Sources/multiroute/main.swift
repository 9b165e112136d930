import Glibc
import OSC
import Router
import SessionModel

// scratch
let socket = try UDPSocket(host: "127.0.0.1", port: 9440)
var settings = Router.Settings(version: "0.1", address: socket.localAddress.description, epoch: 1)
settings.serverName = CommandLine.arguments.dropFirst().first
let service = try RouterService(settings, backend: JackAudio(), sockets: [socket], record: { print($0) })
try await service.router.open()
print("ready")
while true { sleep(1000) }
