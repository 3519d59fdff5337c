import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file that pages refer to; its address changes with its bytes, so it may be kept for ever. */
export interface Asset {
  name: string
  url: string
  type: string
  bytes: Buffer
}

export interface Assets {
  /** Where a page finds that file. Throws when there is none. */
  url(name: string): string
  /** What is at `/assets/…`. */
  at(path: string): Asset | undefined
}

const own = join(import.meta.dirname, 'assets')
const packages: Readonly<Record<string, string>> = {
  'uPlot.iife.min.js': join(packageOf('uplot'), 'dist'),
  'uPlot.min.css': join(packageOf('uplot'), 'dist'),
  'idiomorph.min.js': join(packageOf('idiomorph'), 'dist'),
}
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}
const HASH_LENGTH = 16

/** All of them, read once. */
export function loadAssets(): Assets {
  const folders = { ...Object.fromEntries(readdirSync(own).map((name) => [name, own])), ...packages }
  const assets = Object.entries(folders).flatMap(([name, folder]) => assetOf(name, folder))
  const byName = new Map(assets.map((asset) => [asset.name, asset]))
  const byUrl = new Map(assets.map((asset) => [asset.url, asset]))
  return {
    url(name) {
      const asset = byName.get(name)
      if (!asset) throw new Error(`there is no asset ${name}`)
      return asset.url
    },
    at: (path) => byUrl.get(path),
  }
}

function assetOf(name: string, folder: string): Asset[] {
  const extension = extname(name)
  const type = types[extension]
  if (!type) return []
  const bytes = readFileSync(join(folder, name))
  const stem = name.slice(0, -extension.length)
  const url = `/assets/${stem}-${hash('sha256', bytes).slice(0, HASH_LENGTH)}${extension}`
  return [{ name, url, type, bytes }]
}

/** The folder of an installed package. Not all of them tell their package.json: what they export lies in `dist`. */
function packageOf(name: string): string {
  return dirname(dirname(fileURLToPath(import.meta.resolve(name))))
}
