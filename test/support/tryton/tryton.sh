#!/usr/bin/env bash
# A real Tryton with a small demo merchant, for the adapter's live tests: 6.0 from Debian 12 packages, any other series from
# PyPI. It has a PostgreSQL of its own (by postgres.sh): on SQLite, Tryton keeps nothing unique, and orders would not be
# placed exactly once.
#
#   tryton.sh install   packages, database and demo merchant; kept as long as what they are made of stays the same
#   tryton.sh start     install, then serve; does nothing when it serves already
#   tryton.sh stop      end the servers that this script started
#   tryton.sh status    say whether it answers, with exit code 0 or 1
#
# TRYTON_SERIES          7.0, 7.8, 8.2 … (default: 6.0)
# FORECOURT_TRYTON       folder for everything (default: forecourt-tryton, or forecourt-tryton-8.2 for the series 8.2, below
#                        the system's temporary folder)
# FORECOURT_TRYTON_PORT  port on the loopback address (default: the one it had, or 18069; 18820 for 8.2); its PostgreSQL has
#                        the next one
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
series=${TRYTON_SERIES:-6.0}
[[ $series =~ ^[0-9]\.[0-9]$ ]] || { echo "tryton.sh: TRYTON_SERIES is $series, not like 8.2" >&2; exit 2; }
if [ "$series" = 6.0 ]; then suffix='' free_port=18069; else suffix=-$series free_port=18${series/./}0; fi
home=${FORECOURT_TRYTON:-${TMPDIR:-/tmp}/forecourt-tryton$suffix}
port=${FORECOURT_TRYTON_PORT:-$(sed -n 's/^TRYTON_ADDRESS=.*://p' "$home/env" 2> /dev/null || true)}
port=${port:-$free_port}
database=merchant
env_file=$home/env
config=$home/trytond.conf
store=$home/database
ready=$store/$database.ready
pid_file=$store/gunicorn.pid
environment=$home/python
export FORECOURT_POSTGRES=$home/postgres FORECOURT_POSTGRES_PORT=$((port + 1))
modules=(sale_price_list sale_promotion_coupon sale_secondary_unit product_attribute sale_credit_limit web_shop sale_shipment_cost
  carrier_percentage)

fail() { echo "tryton.sh: $*" >&2; exit 1; }
# The stock python, whatever else comes first on the path; UTC, because Tryton writes change times without a zone.
as_tryton() { (cd / && exec runuser -u tryton -- env TZ=UTC PATH="$environment/bin:/usr/sbin:/usr/bin:/sbin:/bin" "$@"); }
logged() { local log=$home/$1; shift; "$@" > "$log" 2>&1 || { tail -25 "$log" >&2; fail "failed: $1 … (whole log: $log)"; }; }
# Tryton refuses passwords that repeat a character too often.
secret() { shuf --random-source=/dev/urandom -n 24 -e {a..z} {A..Z} {0..9} | tr -d '\n'; }
answers() {
  local path=/
  [[ $series < 8.0 ]] || path=/rpc/
  curl -fsS -m 60 -H 'Content-Type: application/json' -d '{"id":1,"method":"common.server.version","params":[]}' \
    "http://127.0.0.1:$port$path" 2>/dev/null | grep -q "\"result\":\"$series"
}
serving() { [ -f "$pid_file" ] && tr '\0' ' ' < "/proc/$(cat "$pid_file")/cmdline" 2>/dev/null | grep -q gunicorn; }

packages() {
  command -v apt-get > /dev/null || fail 'needs Debian 12: there is no apt-get here'
  local wanted=(postgresql curl) missing=() name
  if [ "$series" = 6.0 ]; then
    wanted+=(tryton-server tryton-proteus gunicorn python3-tz python3-phonenumbers python3-psycopg2)
    for name in "${modules[@]}"; do wanted+=("tryton-modules-${name//_/-}"); done
  else
    wanted+=(python3-venv adduser)
  fi
  for name in "${wanted[@]}"; do
    dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || missing+=("$name")
  done
  [ ${#missing[@]} -eq 0 ] && return
  logged apt-update.log apt-get update -q
  DEBIAN_FRONTEND=noninteractive logged apt-install.log apt-get install -y -q --no-install-recommends "${missing[@]}"
}

# The newest release of the series; Debian's Python is new enough for all of them.
from_pypi() {
  [ "$series" = 6.0 ] || [ -f "$environment/ready" ] && return
  id tryton > /dev/null 2>&1 || logged adduser.log adduser --system --group --no-create-home tryton
  local wanted=(trytond proteus "${modules[@]/#/trytond_}")
  logged venv.log /usr/bin/python3 -m venv --clear "$environment"
  # Up to 7.8, PostgreSQL's driver is psycopg2.
  logged pip.log "$environment/bin/pip" install --disable-pip-version-check gunicorn phonenumbers psycopg2-binary \
    'psycopg[binary,pool]' "${wanted[@]/%/==$series.*}"
  touch "$environment/ready"
}

settings() {
  mkdir -p "$store"
  chmod 755 "$home"
  chown tryton "$store"
  as_tryton test -w "$store" || fail "the account 'tryton' cannot enter $store; set FORECOURT_TRYTON to a folder that it can"
  if [ ! -f "$env_file" ]; then
    (umask 077 && printf 'TRYTON_SERIES=%s\nTRYTON_ADDRESS=http://127.0.0.1:%s\nTRYTON_DATABASE=%s\nTRYTON_USER=storefront\nTRYTON_PASSWORD=%s\nTRYTON_CLERK=admin\nTRYTON_CLERK_PASSWORD=%s\n' \
      "$series" "$port" "$database" "$(secret)" "$(secret)" > "$env_file")
  fi
  sed -i "s|^TRYTON_ADDRESS=.*|TRYTON_ADDRESS=http://127.0.0.1:$port|" "$env_file"
  bash "$here/../postgres.sh" start > /dev/null
  postgres=$(bash "$here/../postgres.sh" url | sed 's|^postgres:|postgresql:|')
  # More tries than Tryton's own 5: a credit check takes whole tables, and does not wait for them.
  # What one process has changed, the others hear of at once; else they answer old names and rights for up to five minutes.
  (umask 077 && printf '[database]\nuri = %s/\npath = %s\nlist = False\nretry = 25\n[session]\nmax_age = 86400\n[cache]\nclean_timeout = 0\n[queue]\nworker = False\n[password]\npasslib = %s\n' \
    "${postgres%/postgres}" "$store/files" "$home/passlib.ini" > "$config")
  chown tryton "$config"
  # The clients of the tests log in hundreds of times, and a check of a password takes a fifth of a second of CPU time at Tryton's own
  # cost. Newer series, with pwdlib, do not read this file.
  (umask 022 && printf '[passlib]\nschemes = bcrypt\nbcrypt__default_rounds = 4\n' > "$home/passlib.ini")
}

# Of all that the database is made of: one that an older form of these files made is made again.
made_of() { { declare -f database; echo "$series ${modules[*]}"; cat "$here"/seed-*.py; } | sha256sum | cut -d' ' -f1; }
there() { [ "$(psql -qtA "$postgres" -c "select count(*) from pg_database where datname = '$database'")" = 1 ]; }

database() {
  [ "$(cat "$ready" 2> /dev/null)" = "$(made_of)" ] && there && return
  serving && fail 'a server runs on a database that is half made or of an older form: stop it first'
  rm -f "$ready"
  psql -q "$postgres" -c "drop database if exists $database" -c "create database $database template template0" \
    -c "alter database $database set jit = off" 2> "$home/create.log" ||
    { cat "$home/create.log" >&2; fail 'the database could not be made'; }
  # PostgreSQL has no statistics while one transaction creates all tables, and would read whole tables for thousands of small
  # queries. Views of its information schema are joined in the order in which they stand, unless the planner may reorder them:
  # nine relations at a time are enough for a good plan, and eleven take 20 ms to plan, thousands of times.
  local plans=(enable_seqscan=off enable_hashjoin=off enable_mergejoin=off join_collapse_limit=9) plan
  for plan in "${plans[@]}"; do psql -q "$postgres" -c "alter database $database set $plan"; done
  # So that a search looks past accents.
  psql -q "${postgres%/postgres}/$database" -c 'create extension unaccent'
  set -a && . "$env_file" && set +a
  local password=$store/admin-password
  (umask 077 && printf '%s\n' "$TRYTON_CLERK_PASSWORD" > "$password" && chown tryton "$password")
  logged modules.log as_tryton env TRYTONPASSFILE="$password" trytond-admin -c "$config" -d "$database" \
    -u ir res "${modules[@]}" --activate-dependencies --email clerk@merchant.example
  rm -f "$password"
  # In one process, which loads Tryton's modules once. The account 'tryton' may not read the checkout.
  cp "$here"/seed-*.py "$store"
  local parts=(demo trade promotions pictures deliveries storefront-user)
  logged seeds.log as_tryton env TRYTON_CONFIG="$config" TRYTON_DATABASE="$database" TRYTON_USER="$TRYTON_USER" \
    TRYTON_PASSWORD="$TRYTON_PASSWORD" python3 -c 'import runpy, sys
for path in sys.argv[1:]: runpy.run_path(path)' $(printf "$store/seed-%s.py " "${parts[@]}")
  for plan in "${plans[@]}"; do psql -q "$postgres" -c "alter database $database reset ${plan%=*}"; done
  made_of > "$ready"
}

install() {
  [ "$(id -u)" = 0 ] || fail 'run it as root: it installs packages and runs the server as the account tryton'
  mkdir -p "$home"
  packages
  from_pypi
  settings
  database
}

start() {
  [ "$(cat "$ready" 2> /dev/null)" = "$(made_of)" ] && serving && answers && { echo "$env_file"; return; }
  install
  answers && fail "port $port is taken by another server; set FORECOURT_TRYTON_PORT"
  # One question at a time for each process, which takes the next when it is done: questions in threads of one process wait for
  # each other while others are idle, and so they do when connections are kept.
  as_tryton env TRYTOND_CONFIG="$config" TRYTOND_DATABASE_NAMES="$database" TRYTOND_LOGGING_LEVEL=30 \
    gunicorn trytond.application:app --daemon --bind "127.0.0.1:$port" --pid "$pid_file" --log-file "$store/server.log" \
    --preload --worker-class sync --workers 4 --timeout 600
  for _ in $(seq 1200); do
    answers && { echo "$env_file"; return; }
    sleep 0.25
  done
  tail -20 "$store/server.log" >&2
  fail 'the server did not answer within 5 minutes'
}

stop() {
  serving || echo 'not running'
  if serving; then
    local pid; pid=$(cat "$pid_file")
    kill "$pid"
    for _ in $(seq 480); do [ -d "/proc/$pid" ] || break; sleep 0.25; done
    [ -d "/proc/$pid" ] && fail "process $pid did not end within 2 minutes"
  fi
  bash "$here/../postgres.sh" stop > /dev/null
}

status() { serving && answers && echo "serving on port $port, settings in $env_file" || { echo 'not running'; return 1; }; }

case ${1:-} in
  install | start | stop | status) "$1" ;;
  *) sed -n '2,16s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac
