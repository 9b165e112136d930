#!/usr/bin/env bash
# Checks what every target imports: only what its row in docs/develop/architecture.md allows, and nothing of a layer above its own.
# The package manager lets transitive imports through, so the table would rot unseen.
set -eu
cd "$(dirname "$0")/../.."

# From the bottom to the top. A target may import from its own layer and those before it; hosts and media do not know each other.
layers=(Libraries System Model Law Audio Hosts Media Control Stage Program)

# The place of each layer, and of each target the layer: a process for each question would take a quarter of a minute.
declare -A rank layer_of
for index in "${!layers[@]}"; do rank[${layers[$index]}]=$index; done
for folder in Sources/*/*/; do layer_of[$(basename "$folder")]=$(basename "$(dirname "$folder")"); done

# Prints what a target may import, from the table's lines `| \`Target\` | what it is | \`A\` \`B\` |`.
allowed() {
  sed -n "s/^| \`$1\` |[^|]*|\(.*\)|$/\1/p" docs/develop/architecture.md | grep -o '`[A-Za-z0-9]*`' | tr -d '`' || true
}

# All imports of a folder, as `file module`.
imports() {
  grep -HnE '^ *(@[a-zA-Z_]+(\([^)]*\))? )*((public|package|internal|private|fileprivate) )?import ' -r "$1" --include='*.swift' |
    sed -E 's/^([^:]*):[0-9]+:.*import +((struct|class|enum|func|protocol|typealias|let|var) +)?([A-Za-z0-9_]+).*/\1 \4/'
}

# Imports of a folder that no list allows.
unlisted() {
  local folder=$1
  shift
  imports "$folder" | while read -r file module; do
    case " $* Swift Synchronization " in
      *" $module "*) ;;
      *) echo "$file imports $module, which docs/develop/architecture.md does not allow" ;;
    esac
  done
}

# Imports of a folder that go upwards. A module without a layer is the system's.
upwards() {
  local folder=$1 own=$2
  imports "$folder" | while read -r file module; do
    above=${layer_of[$module]-}
    [ -z "$above" ] || [ "${rank[$above]}" -le "${rank[$own]}" ] ||
      echo "$file, of the layer $own, imports $module of the layer $above"
  done
}

failed=0
report() {
  [ -z "$1" ] || { echo "$1"; failed=1; }
}

for folder in Sources/*/*/; do
  target=$(basename "$folder")
  layer=${layer_of[$target]}
  case $target in C[A-Z]*) continue ;; esac
  [ -n "${rank[$layer]-}" ] || { report "Sources/$layer is no layer; they are ${layers[*]}"; continue; }
  grep -q "^| \`$target\` |" docs/develop/architecture.md || report "docs/develop/architecture.md has no row for $target"
  # shellcheck disable=SC2046
  report "$(unlisted "$folder" $(allowed "$target"))"
  report "$(upwards "$folder" "$layer")"
done

# The checks must be able to fail.
control=$(mktemp -d)
trap 'rm -rf "$control"' EXIT
printf 'public import CJack\nimport Router\n' > "$control/Control.swift"
[ -n "$(unlisted "$control" SessionModel)" ] || report 'the check of the table sees nothing'
[ -n "$(upwards "$control" Model)" ] || report 'the check of the layers sees nothing'

[ $failed = 0 ] && echo 'imports are as docs/develop/architecture.md says, and none goes upwards'
exit $failed
