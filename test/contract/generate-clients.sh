#!/usr/bin/env bash
# Generates a client from an OpenAPI document with each generator that the storefront guide names, and compiles it: TypeScript in strict
# mode, Python with warnings as errors. The generators come from npm and PyPI. Usage: generate-clients.sh <document>
set -euo pipefail
document=$(realpath "$1")
root=$(realpath "$(dirname "$0")/../..")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

echo '== hey-api, openapi-typescript, Kubb'
KUBB=4.39.0
npm init --yes > npm.log
npm install --silent --no-audit --no-fund openapi-typescript@7.13.0 @hey-api/openapi-ts@0.99.0 zod@4 typescript@5.9 \
  @kubb/{cli,core,plugin-oas,plugin-ts,plugin-client,plugin-zod}@$KUBB
cat > kubb.config.mjs << END
import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'
import { pluginZod } from '@kubb/plugin-zod'

export default defineConfig({
  root: '.',
  input: { path: '$document' },
  output: { path: './kubb', format: false, lint: false },
  plugins: [pluginOas({ generators: [] }), pluginTs(), pluginZod(), pluginClient({ client: 'fetch' })],
})
END
cat > tsconfig.json << 'END'
{
  "compilerOptions": {
    "strict": true,
    "noEmit": true,
    "target": "es2022",
    "module": "esnext",
    "moduleResolution": "bundler",
    "lib": ["es2023", "dom", "dom.iterable"],
    "allowImportingTsExtensions": true,
    "skipLibCheck": true
  },
  "include": ["openapi-typescript.ts", "hey-api", "kubb"]
}
END
npx --no-install openapi-typescript "$document" -o openapi-typescript.ts
npx --no-install openapi-ts -i "$document" -o hey-api -p @hey-api/typescript @hey-api/sdk @hey-api/client-fetch
KUBB_DISABLE_TELEMETRY=1 npx --no-install kubb generate --config kubb.config.mjs > kubb.log || { cat kubb.log; exit 1; }
npx --no-install tsc -p .

echo '== openapi-python-client'
environment=${OPENAPI_PYTHON_CLIENT:-$folder/environment}
[ -x "$environment/bin/openapi-python-client" ] ||
  { python3 -m venv "$environment" && "$environment/bin/pip" install --quiet openapi-python-client==0.29.0 ruff; }
# The configuration of the guide.
sed -n '/^# openapi-python-client generate/,/^```/p' "$root/docs/storefront-guide.md" | sed '/^```/d' > configuration.yaml
PATH="$environment/bin:$PATH" openapi-python-client generate --path "$document" --config configuration.yaml --output-path shop_client \
  --meta none --fail-on-warning
"$environment/bin/python" -m compileall -q shop_client
"$environment/bin/python" -c 'import pathlib, importlib
for file in sorted(pathlib.Path("shop_client").rglob("*.py")):
    importlib.import_module(".".join(file.with_suffix("").parts))'
printf '\n  4 generators passing\n'
