#!/usr/bin/env bash
# A private PostgreSQL for the tests, from Debian's package: its own folder and port, nothing else is touched.
#
#   postgres.sh start   make it when there is none, then serve; does nothing when it serves already
#   postgres.sh stop    end the server that this script started
#   postgres.sh url     print its URL, with the password
#   postgres.sh env     print FORECOURT_TEST_POSTGRES=<url>, for `export "$(… env)"`
#
# FORECOURT_POSTGRES       folder for everything (default: forecourt-postgres below the system's temporary folder)
# FORECOURT_POSTGRES_PORT  port on the loopback address (default: the one it had, or 15432)
set -euo pipefail

home=${FORECOURT_POSTGRES:-${TMPDIR:-/tmp}/forecourt-postgres}
url_file=$home/url
cluster=$home/cluster
port=${FORECOURT_POSTGRES_PORT:-$(sed -n 's|.*:\([0-9]*\)/postgres$|\1|p' "$url_file" 2> /dev/null || true)}
port=${port:-15432}

fail() { echo "postgres.sh: $*" >&2; exit 1; }
# PostgreSQL does not run as root.
as_owner() { if [ "$(id -u)" = 0 ]; then (cd / && exec runuser -u postgres -- "$@"); else "$@"; fi; }
pid() { as_owner sed -n 1p "$cluster/postmaster.pid" 2> /dev/null; }
serving() { local of; of=$(pid) && [ -n "$of" ] && tr '\0' ' ' < "/proc/$of/cmdline" 2> /dev/null | grep -q "$cluster"; }

# Nothing in it is to outlive the machine: without waiting for the disk, making and dropping a database take a tenth of the time.
unsafe='-c fsync=off -c full_page_writes=off'

binaries=$(find /usr/lib/postgresql/*/bin -maxdepth 0 2> /dev/null | sort -V | tail -1)

make() {
  [ -f "$cluster/PG_VERSION" ] && [ -f "$url_file" ] && return
  rm -rf "$cluster"
  mkdir -p "$home"
  if [ "$(id -u)" = 0 ]; then chown postgres "$home"; fi
  as_owner test -w "$home" || fail "the account 'postgres' cannot write $home; set FORECOURT_POSTGRES to a folder that it can"
  local password; password=$(shuf --random-source=/dev/urandom -r -n 24 -e {a..z} {A..Z} {0..9} | tr -d '\n')
  (umask 077 && printf '%s' "$password" > "$home/password")
  if [ "$(id -u)" = 0 ]; then chown postgres "$home/password"; fi
  # Sorting words by language, as most databases do: what leans on the order of bytes shows.
  as_owner "$binaries/initdb" -D "$cluster" -U postgres -E UTF8 --locale=C.UTF-8 --locale-provider=icu --icu-locale=en \
    --auth=scram-sha-256 --pwfile="$home/password" > "$home/initdb.log" 2>&1 || { tail -20 "$home/initdb.log" >&2; fail 'initdb failed'; }
  rm -f "$home/password"
  (umask 077 && printf 'postgres://postgres:%s@127.0.0.1:%s/postgres\n' "$password" "$port" > "$url_file")
}

start() {
  [ -n "$binaries" ] || fail 'there is no PostgreSQL here. Debian: apt-get install postgresql; or set FORECOURT_TEST_POSTGRES to the URL of one whose user may create databases and roles'
  if ! serving; then
    make
    sed -i "s|:[0-9]*/postgres\$|:$port/postgres|" "$url_file"
    as_owner "$binaries/pg_ctl" start --silent --wait --timeout 300 -D "$cluster" -l "$home/cluster/server.log" \
      -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=200 $unsafe" ||
      { as_owner tail -20 "$cluster/server.log" >&2; fail "it did not start; when port $port is taken, set FORECOURT_POSTGRES_PORT"; }
  fi
  echo "serving; to have the tests use it: export \"\$(bash test/support/postgres.sh env)\""
}

stop() {
  serving || { echo 'not running'; return; }
  as_owner "$binaries/pg_ctl" stop --silent --wait --mode fast -D "$cluster"
}

url() {
  [ -f "$url_file" ] || fail 'start it first'
  cat "$url_file"
}

env() { echo "FORECOURT_TEST_POSTGRES=$(url)"; }

case ${1:-} in
  start | stop | url | env) "$1" ;;
  *) sed -n '2,10s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac
