#!/usr/bin/env bash
# Runs a command several times while two busy loops per core compete with it. A test that fails only here depends on the
# speed of the machine.
#
#   under-load.sh [-n times] command …     (default: 3 times)
#
# Prints one line per run with its exit code and duration. Exits with 1 if any run failed.
set -uo pipefail

times=3
if [ "${1:-}" = -n ]; then times=$2; shift 2; fi
if [ $# -eq 0 ]; then sed -n '2,7s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2; fi

children=()
end_children() { kill "${children[@]}" 2> /dev/null; wait "${children[@]}" 2> /dev/null; }
trap end_children EXIT
trap 'exit 130' INT TERM
for _ in $(seq $(($(nproc) * 2))); do
  # Bounded, so that no loop outlives this script for long, however it ends.
  timeout 7200 sh -c 'while :; do :; done' &
  children+=($!)
done

failed=0
results=()
for run in $(seq "$times"); do
  started=$SECONDS
  # In the background, so that a signal ends this script, and with it the command, at once.
  "$@" &
  children+=($!)
  wait $!
  code=$?
  [ "$code" = 0 ] || failed=1
  results+=("run $run of $times: exit $code after $((SECONDS - started)) s")
done
printf '\n%s\n' "Under load ($(($(nproc) * 2)) busy loops on $(nproc) cores): $*" "${results[@]}"
exit "$failed"
