#!/usr/bin/env bash
# Makes a bare Debian in a folder, with nothing but debootstrap's minbase, the packages that are named, and what an archive of Node puts into
# /usr/local: the Node of this checkout and the npm of this machine. Usage: build-bare-debian.sh <folder> [package …]. As root.
# mmdebstrap makes what debootstrap makes, in half the time.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$1
packages=(ca-certificates libatomic1 "${@:2}")
mmdebstrap --quiet --variant=minbase --include="$(IFS=,; echo "${packages[*]}")" --dpkgopt='path-exclude=/usr/share/doc/*' bookworm "$root"
case $(uname -m) in x86_64) arch=x64 ;; aarch64) arch=arm64 ;; esac
install -D -m 755 "node_modules/node-linux-$arch/bin/node" "$root/usr/local/bin/node"
mkdir -p "$root/usr/local/lib/node_modules"
cp -r "$(npm root -g)/npm" "$root/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
ln -s ../lib/node_modules/npm/bin/npx-cli.js "$root/usr/local/bin/npx"
