#!/usr/bin/env bash
# Installs the tools that `npm run test:install` needs, on Debian and as root: from Debian, the Go module registry and PyPI. Takes minutes.
set -euo pipefail
tools=${FORECOURT_INSTALL_TOOLS:-/tmp/forecourt-install-tools}
mkdir -p "$tools"
export DEBIAN_FRONTEND=noninteractive GOBIN=$tools

packages=()
for pair in buildah:buildah crun:crun mmdebstrap:mmdebstrap systemd-nspawn:systemd-container logrotate:logrotate nginx:nginx unzip:unzip; do
  command -v "${pair%%:*}" > /dev/null || packages+=("${pair##*:}")
done
# Debian's Go is older than what the tools need; it downloads a newer one from the module registry.
command -v go > /dev/null || packages+=(golang-go)
command -v pip > /dev/null || packages+=(python3-pip)
[ ${#packages[@]} -eq 0 ] || { apt-get update -q && apt-get install -y -q --no-install-recommends "${packages[@]}"; }

[ -x "$tools/kubeconform" ] || go install github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0
[ -x "$tools/helm" ] || go install helm.sh/helm/v3/cmd/helm@latest
# kubeconform reads its schemas from the internet by default. This package of PyPI has them.
if [ ! -d "$tools/schemas" ]; then
  pip download -q --no-deps -d "$tools" kubernetes-validate==1.37.0
  unzip -qo "$tools"/kubernetes_validate-*.whl 'kubernetes_validate/kubernetes-json-schema/*-strict/*' -d "$tools/wheel"
  mv "$tools/wheel/kubernetes_validate/kubernetes-json-schema" "$tools/schemas"
fi
