import Glibc

/// Waits until a descriptor is readable, or the time is over.
func waitReadable(_ descriptor: Int32, milliseconds: Int32) {
  var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  poll(&request, 1, milliseconds)
}
