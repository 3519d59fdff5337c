#!/usr/bin/env bash
# `npm run test:chart`: checks the Helm chart with helm and kubeconform, which are built from the Go module registry. The first run takes minutes.
set -euo pipefail
cd "$(dirname "$0")/../.."
export FORECOURT_INSTALL_TOOLS=${FORECOURT_INSTALL_TOOLS:-/tmp/forecourt-install-tools}
tools=$FORECOURT_INSTALL_TOOLS
mkdir -p "$tools"
[ -x "$tools/kubeconform" ] || GOBIN=$tools go install github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0
[ -x "$tools/helm" ] || GOBIN=$tools go install helm.sh/helm/v3/cmd/helm@v3.22.0
# kubeconform reads its schemas from the internet by default. This package of PyPI has them.
if [ ! -d "$tools/schemas" ]; then
  python3 -m pip download -q --no-deps -d "$tools" kubernetes-validate==1.37.0
  python3 -m zipfile -e "$tools"/kubernetes_validate-*.whl "$tools/wheel"
  mv "$tools/wheel/kubernetes_validate/kubernetes-json-schema" "$tools/schemas"
fi
node src/bin/pinned-node.js node_modules/mocha/bin/mocha.js --timeout 1200000 test/install/helm-chart.install.ts
