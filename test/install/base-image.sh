#!/usr/bin/env bash
# Makes an image like node:26-bookworm-slim without a registry of images: a debootstrapped Debian with the Node of this checkout and the npm
# of this machine. Usage: base-image.sh <name>. As root.
set -euo pipefail
cd "$(dirname "$0")/../.."
name=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
mmdebstrap --quiet --variant=minbase --include=ca-certificates,libatomic1 --dpkgopt='path-exclude=/usr/share/doc/*' bookworm "$root"
case $(uname -m) in x86_64) arch=x64 ;; aarch64) arch=arm64 ;; esac
install -D -m 755 "node_modules/node-linux-$arch/bin/node" "$root/usr/local/bin/node"
mkdir -p "$root/usr/local/lib/node_modules"
cp -r "$(npm root -g)/npm" "$root/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
container=$(buildah from scratch)
buildah add --quiet "$container" "$root" / > /dev/null
buildah commit --quiet --rm "$container" "$name" > /dev/null
