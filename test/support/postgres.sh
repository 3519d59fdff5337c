#!/usr/bin/env bash
# Runs a private PostgreSQL server for the tests, from Debian's package, with its own directory and port.
#
#   postgres.sh start   create the server if there is none, and start it
#   postgres.sh stop    stop the server that this script started
#   postgres.sh url     print its URL with the password
#   postgres.sh env     print FORECOURT_TEST_POSTGRES=<url>, for `export "$(… env)"`
#
# FORECOURT_POSTGRES       directory for everything (default: forecourt-postgres in the temporary directory)
# FORECOURT_POSTGRES_PORT  port on 127.0.0.1 (default: the previous one, or 15432)
set -euo pipefail

home=${FORECOURT_POSTGRES:-${TMPDIR:-/tmp}/forecourt-postgres}
url_file=$home/url
cluster=$home/cluster
port=${FORECOURT_POSTGRES_PORT:-$(sed -n 's|.*:\([0-9]*\)/postgres$|\1|p' "$url_file" 2> /dev/null || true)}
port=${port:-15432}

fail() { echo "postgres.sh: $*" >&2; exit 1; }
# PostgreSQL does not run as root.
as_owner() { if [ "$(id -u)" = 0 ]; then (cd / && exec runuser -u postgres -- "$@"); else "$@"; fi; }
server_pid() { as_owner sed -n 1p "$cluster/postmaster.pid" 2> /dev/null; }
is_running() { local pid; pid=$(server_pid) && [ -n "$pid" ] && tr '\0' ' ' < "/proc/$pid/cmdline" 2> /dev/null | grep -q "$cluster"; }

# The data need not survive a crash. Without waiting for the disk, creating and dropping databases is ten times faster.
unsafe='-c fsync=off -c full_page_writes=off'

binaries=$(find /usr/lib/postgresql/*/bin -maxdepth 0 2> /dev/null | sort -V | tail -1)

create() {
  [ -f "$cluster/PG_VERSION" ] && [ -f "$url_file" ] && return
  rm -rf "$cluster"
  mkdir -p "$home"
  if [ "$(id -u)" = 0 ]; then chown postgres "$home"; fi
  as_owner test -w "$home" || fail "the account 'postgres' cannot write $home; set FORECOURT_POSTGRES to a directory that it can write"
  local password; password=$(shuf --random-source=/dev/urandom -r -n 24 -e {a..z} {A..Z} {0..9} | tr -d '\n')
  (umask 077 && printf '%s' "$password" > "$home/password")
  if [ "$(id -u)" = 0 ]; then chown postgres "$home/password"; fi
  # Language-aware collation, as most databases have, reveals code that relies on byte order. Passwords are checked by MD5,
  # because the tests open thousands of connections, and SCRAM takes twice the CPU time of each in the client.
  as_owner "$binaries/initdb" -D "$cluster" -U postgres -E UTF8 --locale=C.UTF-8 --locale-provider=icu --icu-locale=en \
    --auth=md5 --pwfile="$home/password" > "$home/initdb.log" 2>&1 || { tail -20 "$home/initdb.log" >&2; fail 'initdb failed'; }
  rm -f "$home/password"
  (umask 077 && printf 'postgres://postgres:%s@127.0.0.1:%s/postgres\n' "$password" "$port" > "$url_file")
}

start() {
  [ -n "$binaries" ] || fail 'PostgreSQL is not installed. Debian: apt-get install postgresql; or set FORECOURT_TEST_POSTGRES to the URL of a server whose user may create databases and roles'
  if ! is_running; then
    create
    sed -i "s|:[0-9]*/postgres\$|:$port/postgres|" "$url_file"
    as_owner "$binaries/pg_ctl" start --silent --wait --timeout 300 -D "$cluster" -l "$home/cluster/server.log" \
      -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=200 $unsafe" ||
      { as_owner tail -20 "$cluster/server.log" >&2; fail "the server did not start; if port $port is taken, set FORECOURT_POSTGRES_PORT"; }
  fi
  echo "running; to use it in the tests: export \"\$(bash test/support/postgres.sh env)\""
}

stop() {
  is_running || { echo 'not running'; return; }
  as_owner "$binaries/pg_ctl" stop --silent --wait --mode fast -D "$cluster"
}

url() {
  [ -f "$url_file" ] || fail 'no server was created; run postgres.sh start'
  cat "$url_file"
}

env() { echo "FORECOURT_TEST_POSTGRES=$(url)"; }

case ${1:-} in
  start | stop | url | env) "$1" ;;
  *) sed -n '2,10s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac
