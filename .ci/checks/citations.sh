#!/usr/bin/env bash
# Checks that everything which refers to the law of sessions, or to another page, leads somewhere:
#   - a citation such as `docs/develop/law/ducking.md#2-depth`, in any file, names a page and a heading that exist;
#   - a relative link of a Markdown page leads to a file that exists, and its anchor to a heading of that file;
#   - a test that bears a scenario's id, such as A38, stands in docs/develop/law/scenarios.md, in the row or section of that scenario;
#   - no comment cites documents that are not in the repository, as comments did before docs/develop/law was written.
# Anchors are made as GitHub makes them: lower case, no punctuation, a hyphen for each space, a number for a repeated heading.
set -eu
cd "$(dirname "$0")/../.."

cited=(Sources Tests docs README.md Makefile Package.swift packaging)
old_forms='(^|[^A-Za-z_])semantics([^A-Za-z_]|$)|[Oo][Ss][Cc] contract|[Dd]ecisions? G[0-9]'

# Prints every place in some Markdown files that a link may lead to: each file, and `file#anchor` for each heading.
anchors() {
  LC_ALL=C awk '
    FNR == 1 { fenced = 0; delete seen; print FILENAME }
    /^ *(```|~~~)/ { fenced = !fenced }
    fenced { next }
    {
      text = $0
      while (match(text, /<a id="[^"]*">/)) {
        print FILENAME "#" substr(text, RSTART + 7, RLENGTH - 9)
        text = substr(text, RSTART + RLENGTH)
      }
    }
    /^#+ / {
      text = $0
      sub(/^#+ +/, "", text); sub(/ +#* *$/, "", text)
      while (match(text, /\]\([^)]*\)/)) text = substr(text, 1, RSTART - 1) substr(text, RSTART + RLENGTH)
      text = tolower(text)
      gsub(/[^a-z0-9 _\200-\377-]/, "", text); gsub(/ /, "-", text)
      print FILENAME "#" text (seen[text] ? "-" seen[text] : "")
      seen[text]++
    }' "$@"
}

# Prints `place target` for each citation of the law in some files or folders.
citations() {
  { grep -rnoHE 'docs/develop/law/[A-Za-z0-9_./#-]*[A-Za-z0-9]' -- "$@" || true; } | sed -E 's/^([^:]*:[0-9]+):/\1 /'
}

# Prints `place target` for each relative link of some Markdown files, the target as a path from where this runs.
links() {
  LC_ALL=C awk '
    function path(folder, target,   count, parts, kept, depth, i) {
      count = split(folder target, parts, "/")
      for (i = 1; i <= count; i++) {
        if (parts[i] == "..") { if (depth && kept[depth] != "..") depth--; else kept[++depth] = ".." }
        else if (parts[i] != "." && (parts[i] != "" || i == 1)) kept[++depth] = parts[i]
      }
      target = kept[1]
      for (i = 2; i <= depth; i++) target = target "/" kept[i]
      return target
    }
    FNR == 1 { fenced = 0 }
    /^ *(```|~~~)/ { fenced = !fenced }
    fenced { next }
    {
      text = $0
      gsub(/`[^`]*`/, "", text)
      folder = FILENAME
      if (!sub(/[^\/]*$/, "", folder)) folder = ""
      while (match(text, /\]\([^)]*\)/)) {
        target = substr(text, RSTART + 2, RLENGTH - 3)
        text = substr(text, RSTART + RLENGTH)
        sub(/ ".*"$/, "", target)
        if (target ~ /^#/) print FILENAME ":" FNR, FILENAME target
        else if (target !~ /^[a-z]+:/) print FILENAME ":" FNR, path(folder, target)
      }
    }' "$@"
}

# Prints what of a list of `place target` leads nowhere; the first argument is the list of anchors.
broken() {
  local -A known=()
  local place target
  while read -r target; do known[$target]=1; done < "$1"
  while read -r place target; do
    case $target in
      *.md | *.md'#'*) [ -n "${known[$target]-}" ] || echo "$place: nothing is at $target" ;;
      *) [ -e "${target%%#*}" ] || echo "$place: there is no $target" ;;
    esac
  done
}

# Prints each test of a scenario that a page of scenarios does not list; the first argument is the page, the rest holds the tests.
unlisted() {
  local -A rows=()
  local file line ids id row section=''
  while read -r row; do
    case $row in
      '## '*) section='' ;;
      'Tests: '*) section=$row ;;
    esac
    [[ ! $row =~ ^'- <a id="'a[0-9]{2}'"></a>**'(A[0-9]{2})'** ' ]] || rows[${BASH_REMATCH[1]}]="$section $row"
  done < "$1"
  shift
  { grep -rnoHE '"A[0-9]{2}[^":]*:' --include='*.swift' -- "$@" || true; } | while IFS=: read -r file line ids _; do
    while [[ $ids =~ A[0-9]{2} ]]; do
      id=${BASH_REMATCH[0]} ids=${ids#*"${BASH_REMATCH[0]}"}
      [[ ${rows[$id]-} == *"/${file##*/})"* ]] ||
        echo "$file:$line: docs/develop/law/scenarios.md does not list this test of $id"
    done
  done
}

# Prints each place that cites what is not in the repository.
old() {
  { grep -rnHE -- "$old_forms" "$@" || true; } |
    sed -E 's/^([^:]*:[0-9]+):.*/\1: this cites a document that is not in the repository; cite docs\/develop\/law/'
}

failed=0
report() {
  [ -z "$1" ] || { echo "$1"; failed=1; }
}

control=$(mktemp -d)
trap 'rm -rf "$control"' EXIT
mapfile -t pages < <(find README.md docs Sources Tests packaging presets -name '*.md' | sort)
anchors "${pages[@]}" > "$control/anchors"
citations "${cited[@]}" > "$control/citations"
links "${pages[@]}" > "$control/links"

report "$(broken "$control/anchors" < "$control/citations")"
report "$(broken "$control/anchors" < "$control/links")"
report "$(unlisted docs/develop/law/scenarios.md Tests)"
report "$(old "${cited[@]}")"
for page in docs/develop/law/*.md; do
  [ "$page" = docs/develop/law/README.md ] || grep -qF "]($(basename "$page"))" docs/develop/law/README.md ||
    report "docs/develop/law/README.md does not list $page"
done

# The checks must be able to fail.
must() {
  [ -n "$1" ] || report "the check of $2 sees nothing"
}
must_not() {
  [ -z "$1" ] || report "the check of $2 sees what is not there: $1"
}
cite() {
  echo "/// Why (docs/develop/law/$1)." > "$control/Citation.swift"
  citations "$control/Citation.swift" | broken "$control/anchors"
}
must "$(cite 'ducking.md#99-nothing')" 'citations of a heading'
must "$(cite nothing.md)" 'citations of a page'
must_not "$(cite 'ducking.md#2-depth')" 'citations'
mkdir "$control/folder"
printf '# One: a `word`\n## Two\n## Two\n[page](nowhere.md) [heading](#three)\n' > "$control/folder/Bad.md"
printf '[a](folder/Bad.md#one-a-word) [b](folder/../folder/Bad.md#two-1) [c](folder)\n' > "$control/Good.md"
(
  cd "$control"
  anchors folder/Bad.md Good.md > own
  [ "$(links folder/Bad.md | broken own | wc -l)" = 2 ] && [ -z "$(links Good.md | broken own)" ] &&
    [ "$(links Good.md | wc -l)" = 3 ]
) || report 'the check of links does not see what is broken, or what is not'
printf '  @Test("A01, A98: nothing")\n' > "$control/NoScenario.swift"
[ "$(unlisted docs/develop/law/scenarios.md "$control/NoScenario.swift" | wc -l)" = 2 ] ||
  report 'the check of the tests of scenarios sees nothing'
for form in '(semantics, section 8)' '(OSC contract, section 1)' '(decision G12)'; do
  echo "/// $form" > "$control/Old.swift"
  must "$(old "$control/Old.swift")" "old forms, such as $form"
done
echo '@_semantics("x")' > "$control/Old.swift"
must_not "$(old "$control/Old.swift")" 'old forms'

[ $failed = 0 ] &&
  echo "$(wc -l < "$control/citations") citations of the law and $(wc -l < "$control/links") links of pages lead somewhere"
exit $failed
