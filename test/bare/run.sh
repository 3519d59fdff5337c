#!/usr/bin/env bash
# `npm run test:bare`. As root, with the Tryton of test:live. All processes of the tests are in a namespace of their own: when the tests end,
# or are ended by SIGTERM or SIGKILL, so are the servers, containers and Debians that they started, and nothing stays mounted.
set -euo pipefail
cd "$(dirname "$0")/../.."
export FORECOURT_TRYTON=${FORECOURT_TRYTON:-${TMPDIR:-/tmp}/forecourt-tryton}
work=$(mktemp -d -t forecourt-bare-XXXXXX)
trap 'rm -rf --one-file-system "$work"' EXIT
export TMPDIR=$work CONTAINERS_STORAGE_CONF=$work/storage.conf
printf '[storage]\ndriver = "overlay"\ngraphroot = "%s/images"\nrunroot = "%s/containers"\n' "$work" "$work" > "$CONTAINERS_STORAGE_CONF"
unshare --mount --pid --fork --kill-child --mount-proc \
  node src/bin/pinned-node.js node_modules/mocha/bin/mocha.js --timeout 1200000 "${@:-test/bare/*.bare.ts}"
