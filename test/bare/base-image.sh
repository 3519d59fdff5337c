#!/usr/bin/env bash
# Makes an image like node:26-bookworm-slim without a registry of images, from a bare Debian in a folder. Usage: base-image.sh <name> <folder>. As root.
set -euo pipefail
container=$(buildah from scratch)
buildah add --quiet "$container" "$2" / > /dev/null
buildah commit --quiet --rm "$container" "$1" > /dev/null
