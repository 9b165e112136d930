#!/usr/bin/env bash
# Checks two promises of docs/develop/architecture.md: the actor Router stays small, and a public name means one type.
set -eu
cd "$(dirname "$0")/../.."

most=15

# The stored properties of the actor in a file: declarations of its body that neither are static nor compute.
stored() {
  awk '/^public actor Router \{/ { inside = 1 } /^}/ { inside = 0 }
    inside && /^  ([a-z]+(\([a-z]+\))? )*(let|var) / && !/static / && !(/\{$/ && !/= /) && !/ \{ .* \}$/' "$1"
}

# The names that more than one public type of the folders has; types inside another type do not count.
shared_names() {
  grep -hoE '^public (final class|class|struct|enum|actor|protocol) [A-Za-z0-9_]+' -r "$@" --include='*.swift' |
    sed 's/.* //' | sort | uniq -d
}

failed=0
count=$(stored Sources/Program/Router/Router.swift | wc -l)
if [ "$count" -gt "$most" ]; then
  echo "the actor Router has $count stored properties, and $most are the most: make a value or a part of those that belong together"
  stored Sources/Program/Router/Router.swift
  failed=1
fi
names=$(shared_names Sources)
if [ -n "$names" ]; then
  for name in $names; do
    echo "more than one public type is called $name:"
    grep -nE "^public (final class|class|struct|enum|actor|protocol) $name\b" -r Sources --include='*.swift'
  done
  failed=1
fi

# The checks must be able to fail.
control=$(mktemp -d)
trap 'rm -rf "$control"' EXIT
{
  echo 'public actor Router {'
  for number in $(seq 16); do echo "  var property$number = 0"; done
  echo '  var computed: Int { 0 }'
  echo '}'
  echo 'public struct Twice {}'
} > "$control/Router.swift"
echo 'public enum Twice {}' > "$control/Other.swift"
[ "$(stored "$control/Router.swift" | wc -l)" = 16 ] || { echo 'the check of the actor counts wrong'; failed=1; }
[ "$(shared_names "$control")" = Twice ] || { echo 'the check of names sees nothing'; failed=1; }

[ $failed = 0 ] && echo "the actor Router has $count stored properties, and every public type has a name of its own"
exit $failed
