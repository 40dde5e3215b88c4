# How soon a way to start has a page and a first move: shared by the tests beside it and by tests/fresh/run.
# Whoever reads it has `call PATH [OPTION…]`, which is curl on the API.
# shellcheck shell=bash

# until_true SECONDS COMMAND…: asks again and again.
until_true() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.05
  done
}

# since START: seconds with two digits.
since() {
  awk -v a="$1" -v b="$EPOCHREALTIME" 'BEGIN {printf "%.2f", b - a}'
}

id_of() {
  grep -oE '"id":[0-9]+' <<<"$1" | head -n 1 | cut -d: -f2
}

# is_scored ID: the analysis has a move.
is_scored() {
  call "analyses/$1" | grep -q '"best":{'
}

is_settled() {
  call "analyses/$1" | grep -qE '"state":"(settled|exhausted)"'
}

# As the page's *10 minutes* asks, before an engine's speed is known.
# shellcheck disable=SC2034
built_in_limit='{"nodes": 500000}' stockfish_limit='{"depth": 14}'

# first_move LIMIT: begins an analysis, waits for the first move that has a score, and takes the analysis away.
# $moved: after how many seconds.
first_move() {
  local start=$EPOCHREALTIME made id
  made=$(call analyses -d '{"position": {"moves": "1. e4 c5 2. Nf3 d6"},
    "limit": '"$1"', "strategy": {"kind": "anchored", "move_distance": 20}, "budget": {"engine_seconds": 600}}') || return
  id=$(id_of "$made")
  until_true 120 is_scored "$id" || return
  moved=$(since "$start")
  echo "first move: $moved s after it was asked for"
  call "analyses/$id" -X DELETE -o /dev/null
}

# worked: seconds of a processor that what this shell has waited for has used.
worked() {
  awk -v ticks="$(getconf CLK_TCK)" '{sub(/.*\) /, ""); printf "%d", ($14 + $15) / ticks}' /proc/$$/stat
}

# row WAY SYSTEM INSTALLED PAGE BUILT_IN STOCKFISH: a row of the table of tests/package/times. In seconds; what is no number
# stays as it is. The load is that of the last minute.
row() {
  local load
  read -r load _ </proc/loadavg
  printf '%s\n' "$@" "$load" | awk '
    NR > 2 && NR < 7 && /^[0-9.]+$/ { $0 = $0 < 120 ? sprintf("%.1f s", $0) : sprintf("%.0f min", $0 / 60) }
    { line = line " | " $0 }
    END { print "row:" line " |" }'
}
