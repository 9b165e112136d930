/// The first word of the command line.
public enum CommandName: String, CaseIterable, Sendable {
  case run, demo, render
  case check, presets
  case library, record
  case recall, go
  case token
  case layout
  case send, get, watch, console, events, status, why, ports, top, doctor, metrics, reload, find
  case setup, complete, help
}
