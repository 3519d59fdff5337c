#!/usr/bin/env bash
# `npm run test:install`: the chart, the image, and an upgrade from the release before. On Debian, as root.
set -euo pipefail
cd "$(dirname "$0")/../.."
bash test/install/tools.sh
bash test/support/postgres.sh start
FORECOURT_TEST_POSTGRES=$(bash test/support/postgres.sh url)
export FORECOURT_TEST_POSTGRES
node src/bin/pinned-node.js node_modules/mocha/bin/mocha.js --timeout 1200000 "${@:-test/install/*.install.ts}"
