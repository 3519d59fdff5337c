#!/usr/bin/env bash
# Checks the OpenAPI document: two linters without a warning, and Schemathesis against a running demo. The linters come from npm and
# Schemathesis from PyPI when they are needed: together they are larger than all other development dependencies.
set -euo pipefail
cd "$(dirname "$0")/../.."
document=$(mktemp -d)/openapi.json
trap 'rm -rf "$(dirname "$document")"' EXIT
node src/bin/pinned-node.js test/contract/print-openapi.ts > "$document"

echo '== Redocly'
REDOCLY_TELEMETRY=off npx --yes @redocly/cli@2.77.0 lint "$document" --config test/contract/redocly.yaml
echo '== Spectral'
npx --yes @stoplight/spectral-cli@6.16.3 lint "$document" --ruleset test/contract/spectral.yaml --fail-severity hint
node src/bin/pinned-node.js test/contract/run-schemathesis.ts "$document"
