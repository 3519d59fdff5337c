import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createStaticDocument, type StaticDocument, sendStaticDocument } from '../http/responses/static-document.ts'
import { staticMediaTypes } from '../http/responses/static-media-types.ts'
import type { ConsoleMiddleware } from './console-context.ts'

/** A file that pages refer to. Its URL contains a hash of its bytes, so browsers may cache it forever. */
export interface Asset {
  name: string
  url: string
  document: StaticDocument
}

export interface Assets {
  /** Returns the URL of a file. Throws if there is no such file. */
  url(name: string): string
  /** Returns the file at a path below `/assets/`. */
  find(path: string): Asset | undefined
}

const ownFolder = join(import.meta.dirname, 'assets')
const packageFolders: Readonly<Record<string, string>> = {
  'uPlot.iife.min.js': join(findPackageFolder('uplot'), 'dist'),
  'uPlot.min.css': join(findPackageFolder('uplot'), 'dist'),
  'idiomorph.min.js': join(findPackageFolder('idiomorph'), 'dist'),
}
const HASH_LENGTH = 16

/** Reads all assets into memory. */
export function loadAssets(): Assets {
  const ownFiles = Object.fromEntries(readdirSync(ownFolder).map((name) => [name, ownFolder]))
  const folders = { ...ownFiles, ...packageFolders }
  const assets = Object.entries(folders).flatMap(([name, folder]) => loadAsset(name, folder))
  const byName = new Map(assets.map((asset) => [asset.name, asset]))
  const byUrl = new Map(assets.map((asset) => [asset.url, asset]))
  return {
    url(name) {
      const asset = byName.get(name)
      if (!asset) throw new Error(`there is no asset ${name}`)
      return asset.url
    },
    find: (path) => byUrl.get(path),
  }
}

/** Serves the assets for which `isServed` returns true. */
export function serveAssets(assets: Assets, isServed: (name: string) => boolean): ConsoleMiddleware {
  return (ctx, next) => {
    const asset = assets.find(ctx.path)
    if (!asset || !isServed(asset.name) || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next()
    return sendStaticDocument(ctx, asset.document)
  }
}

function loadAsset(name: string, folder: string): Asset[] {
  const extension = extname(name)
  const contentType = staticMediaTypes[extension]
  if (!contentType) return []
  const bytes = readFileSync(join(folder, name))
  const stem = name.slice(0, -extension.length)
  const url = `/assets/${stem}-${hash('sha256', bytes).slice(0, HASH_LENGTH)}${extension}`
  const document = createStaticDocument(bytes, { contentType, cacheControl: 'private, max-age=31536000, immutable' })
  return [{ name, url, document }]
}

/** Returns the folder of an installed package. Not every package exports its package.json, but each entry point is in `dist`. */
function findPackageFolder(name: string): string {
  return dirname(dirname(fileURLToPath(import.meta.resolve(name))))
}
