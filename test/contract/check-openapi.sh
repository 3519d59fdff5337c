#!/usr/bin/env bash
# Checks the OpenAPI document: two linters without a warning, four generators of clients, and Schemathesis against a running demo. They come
# from npm and PyPI when they are needed: together they are larger than all other development dependencies.
set -euo pipefail
cd "$(dirname "$0")/../.."
document=$(mktemp -d)/openapi.json
trap 'rm -rf "$(dirname "$document")"' EXIT
node src/bin/pinned-node.js test/contract/print-openapi.ts > "$document"

echo '== Redocly'
REDOCLY_TELEMETRY=off npx --yes @redocly/cli@2.77.0 lint "$document" --config test/contract/redocly.yaml
echo '== Spectral'
npx --yes @stoplight/spectral-cli@6.16.3 lint "$document" --ruleset test/contract/spectral.yaml --fail-severity hint
bash test/contract/generate-clients.sh "$document"
node src/bin/pinned-node.js test/contract/run-schemathesis.ts "$document"
