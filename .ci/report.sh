#!/usr/bin/env bash
# Says at the end of a run of the tests which were the slowest and what was excused. Excuses of more than three tests fail
# the run; those of tests that ran again do not count (`repeated`).
#
#   report.sh LOG NOTES    LOG is what the runner printed, NOTES what the tests noted (Tests/Kit/TestKit/Notes)
set -eu
limit=3

# Prints `seconds, tab, name` of each test, from the runner's lines.
durations() {
  sed -nE 's/^[^ ]+ Test (.*) (passed|failed) after ([0-9.]+) seconds.*/\3\t\1/p' "$1" |
    grep -vE '^[0-9.]+	(run with|case passing) ' |
    sed -E 's/ with [0-9]+ test cases?$//; s/^([0-9.]+	)"(.*)"$/\1\2/' || true
}

# Prints `seconds, tab, name` of the ten slowest. A test that held a place for servers counts from then on: others wait for it, and
# the runner counts the wait.
slowest() {
  { sed -n 's/^held	//p' "$2" | sed 's/^/held	/'; durations "$1" | sed 's/^/ran	/'; } |
    awk -F '\t' '
      $1 == "held" { held[$3] += $2 }
      $1 == "ran" { name[++count] = $3; seconds[count] = $2 }
      END {
        for (i = 1; i <= count; i++) {
          taken = name[i] in held && held[name[i]] < seconds[i] ? held[name[i]] : seconds[i]
          printf "%.1f\t%s\n", taken, name[i]
        }
      }' | sort -rn | head -n 10
}

# Fails if too much was excused.
report() {
  local log=$1 notes=$2 count
  echo '--- the ten slowest tests, in seconds'
  slowest "$log" "$notes"
  sed -n 's/^remark	/--- remark: /p' "$notes" | sort -u
  sed -n '/^repeated	/ { s///; s/^[^	]*	//; s/	.*//; p }' "$notes" | sort -u | sed 's/^/--- ran again alone, because a break of sound was excused: /'
  count=$(awk -F '\t' '$1 == "excuse" { print $2 }' "$notes" | sort -u | wc -l)
  echo "--- excused: breaks of sound in $count tests of at most $limit"
  sed -n '/^excuse	/ { s///; s/^[^	]*	//; s/	/: /; p }' "$notes"
  [ "$count" -le "$limit" ] || {
    echo "error: breaks of sound in $count tests were excused, which is more than $limit"
    return 1
  }
}

# Runs of which it is known what must be said of them.
control() {
  local scratch said
  scratch=$(mktemp -d)
  {
    echo '✔ Test "A fast one" passed after 0.004 seconds.'
    echo '✘ Test "One that waits" failed after 300.5 seconds with 1 issue.'
    echo '✔ Test "Many cases" with 3 test cases passed after 7.25 seconds.'
    echo '✔ Test plain() passed after 12.0 seconds.'
    echo '✔ Suite Whole passed after 400.0 seconds.'
    echo '✔ Test run with 4 tests passed after 400.0 seconds.'
  } > "$scratch/log"
  printf 'held\t2.5\tOne that waits\nheld\t2\tOne that waits\nrepeated\tT.S/d()\tD\td\nexcuse\tT.S/a()\tA\ta\nexcuse\tT.S/b()\tB\tb\nexcuse\tT.S/b()\tB\tc\nexcuse\tT.S/c()\tC\td\n' > "$scratch/notes"
  said=$(report "$scratch/log" "$scratch/notes") || {
    echo "error: report.sh refuses a run with $limit excuses"
    return 1
  }
  [ "$(slowest "$scratch/log" "$scratch/notes" | tr '\t\n' ' ,')" = \
    '12.0 plain(),7.2 Many cases,4.5 One that waits,0.0 A fast one,' ] || {
    echo "error: report.sh does not find the slowest tests: $said"
    return 1
  }
  [[ $said == *'excused: D'*'of at most 3'*'A: a'* ]] || {
    echo "error: report.sh does not tell what was excused: $said"
    return 1
  }
  printf 'excuse\tT.S/d()\tD\te\n' >> "$scratch/notes"
  ! report "$scratch/log" "$scratch/notes" > "$scratch/said" || {
    echo 'error: report.sh accepts a run with too many excuses'
    return 1
  }
  rm -rf "$scratch"
}

control
report "$1" "$2"
