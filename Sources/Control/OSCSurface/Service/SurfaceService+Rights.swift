public import ControlInterface
public import Parameters

extension SurfaceService {
  /// The right of a host, which a passcode may have raised. On the policy thread.
  public func right(of host: HostAddress) -> Right { surface.right(of: host) }
}

extension Surface {
  fileprivate func right(of host: HostAddress) -> Right {
    let own = admission.right(of: host)
    return own == .none ? .none : max(own, passcodes.right(of: host))
  }
}
