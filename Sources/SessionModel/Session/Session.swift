/// placeholder of the session value
public struct Session: Equatable, Sendable {}
public struct SessionStream: Equatable, Sendable {}
public struct Port: Equatable, Sendable {}
