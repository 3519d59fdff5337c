#!/usr/bin/env bash
# `docker build` by buildah, with these arguments: docs/install/Dockerfile on the image of base-image.sh. Usage: build-image.sh <base> <argument …>.
# As root. Isolation by chroot works everywhere. It neither shows nor needs a container runtime.
set -euo pipefail
cd "$(dirname "$0")/../.."
npmrc=$(mktemp)
trap 'rm -f "$npmrc"' EXIT
# A machine behind a proxy that inspects TLS trusts another certificate authority.
[ -z "${NODE_EXTRA_CA_CERTS:-}" ] || echo "cafile=$NODE_EXTRA_CA_CERTS" > "$npmrc"
mkdir -p "$HOME/.npm"
buildah build --format docker --isolation chroot --network host --volume /etc/ssl/certs:/etc/ssl/certs:ro \
  --volume "$npmrc:/root/.npmrc:ro" --volume "$HOME/.npm:/root/.npm" --build-arg BASE="$1" "${@:2}"
