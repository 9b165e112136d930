#!/usr/bin/env bash
# Checks that every target imports only what the table of docs/architecture.md allows: the package manager lets transitive
# imports through, so the table would rot unseen.
set -eu
cd "$(dirname "$0")/../.."

# Prints what a target may import, from the table's lines `| \`Target\` | what it is | \`A\` \`B\` |`.
allowed() {
  sed -n "s/^| \`$1\` |[^|]*|\(.*\)|$/\1/p" docs/architecture.md | grep -o '`[A-Za-z0-9]*`' | tr -d '`' || true
}

# Imports of a folder that no list allows, as `file: module`.
violations() {
  local folder=$1
  shift
  grep -HnE '^ *(@[a-zA-Z_]+(\([^)]*\))? )*((public|package|internal|private|fileprivate) )?import ' -r "$folder" --include='*.swift' |
    sed -E 's/^([^:]*):[0-9]+:.*import +((struct|class|enum|func|protocol|typealias|let|var) +)?([A-Za-z0-9_]+).*/\1 \4/' |
    while read -r file module; do
      case " $* Swift Synchronization " in
        *" $module "*) ;;
        *) echo "$file imports $module" ;;
      esac
    done
}

failed=0
for folder in Sources/*/; do
  target=$(basename "$folder")
  case $target in C[A-Z]*) continue ;; esac
  grep -q "^| \`$target\` |" docs/architecture.md || {
    echo "docs/architecture.md has no row for $target"
    failed=1
    continue
  }
  # shellcheck disable=SC2046
  found=$(violations "$folder" $(allowed "$target"))
  [ -z "$found" ] || { echo "$found"; failed=1; }
done

# The check must be able to fail.
control=$(mktemp -d)
trap 'rm -rf "$control"' EXIT
echo 'public import CJack' > "$control/Control.swift"
[ -n "$(violations "$control" SessionModel)" ] || { echo 'the import check sees nothing'; failed=1; }

[ $failed = 0 ] && echo 'imports are as docs/architecture.md says'
exit $failed
