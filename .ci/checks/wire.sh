#!/usr/bin/env bash
# Checks that a client's UDP address and the socket that hears it are used in the target OSC alone: for everything else a
# client is an opaque Peer, and the place where a router listens an Endpoint.
set -eu
cd "$(dirname "$0")/../.."

# Lines that name one of the types, comments aside, as `file:number:line`.
uses() {
  grep -HrnwE 'PeerAddress|UDPSocket' "$1" --include='*.swift' | grep -vE '^[^:]*:[0-9]+: *//' || true
}

outside() { grep -vE '^Sources/Control/OSC/' || true; }

failed=0
report() {
  [ -z "$1" ] || { echo "$1"; failed=1; }
}

report "$(uses Sources | outside | sed 's/$/   <- only Sources\/Control\/OSC knows UDP addresses; use Peer or Endpoint/')"

# The check must be able to fail.
control=$(mktemp -d)
trap 'rm -rf "$control"' EXIT
printf '// PeerAddress\nlet client: PeerAddress? = nil\n' > "$control/Address.swift"
printf 'let sockets: [UDPSocket] = []\n' > "$control/Socket.swift"
printf 'let peer: Peer, transport: UDPTransport // UDPSockets\n' > "$control/Peer.swift"
[ "$(uses "$control/Address.swift" | outside | wc -l)" = 1 ] || report 'the check does not see exactly the one use of PeerAddress'
[ -n "$(uses "$control/Socket.swift" | outside)" ] || report 'the check sees no use of UDPSocket'
[ -z "$(uses "$control/Peer.swift" | outside)" ] || report 'the check sees a use that is not there'
[ -n "$(uses Sources/Control/OSC)" ] || report 'the check finds the types nowhere: they have other names now'

[ $failed = 0 ] && echo 'only the target OSC knows UDP addresses and sockets'
exit $failed
