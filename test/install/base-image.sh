#!/usr/bin/env bash
# Makes an image like node:26-bookworm-slim without a registry of images, from a bare Debian: that in a folder, or a new one.
# Usage: base-image.sh <name> [folder]. As root.
set -euo pipefail
cd "$(dirname "$0")/../.."
name=$1
root=${2:-}
if [ -z "$root" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  root=$work/root
  bash test/install/build-bare-debian.sh "$root"
fi
container=$(buildah from scratch)
buildah add --quiet "$container" "$root" / > /dev/null
buildah commit --quiet --rm "$container" "$name" > /dev/null
