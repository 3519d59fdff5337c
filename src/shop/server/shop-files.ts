import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { extname, join, resolve } from 'node:path'
import { createStaticDocument, type StaticDocument } from '../../http/responses/static-document.ts'

const source = resolve(import.meta.dirname, '../..')
/** The pages, and the client that they import by relative paths. */
const folders = ['shop', 'shop/pages', 'client', 'client/generated']
const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.js': 'text/javascript; charset=utf-8',
  '.ts': 'text/javascript; charset=utf-8',
}

export interface ShopFiles {
  /** The path of the first script, below the assets. */
  main: string
  find(path: string): StaticDocument | undefined
}

/** Serves files from memory. Each is read, and rid of its types, when the first browser asks for it: the start of the demo takes no longer. */
export function createShopFiles(): ShopFiles {
  const paths = new Set(folders.flatMap(listFiles))
  const documents = new Map<string, StaticDocument>()
  return {
    // The npm package has compiled files.
    main: paths.has('shop/pages/main.ts') ? 'shop/pages/main.ts' : 'shop/pages/main.js',
    find(path) {
      if (!paths.has(path)) return undefined
      const document = documents.get(path) ?? loadDocument(path)
      documents.set(path, document)
      return document
    },
  }
}

function listFiles(folder: string): string[] {
  const names = readdirSync(join(source, folder)).filter((name) => mediaTypes[extname(name)])
  return names.map((name) => `${folder}/${name}`)
}

function loadDocument(path: string): StaticDocument {
  const text = readFileSync(join(source, path), 'utf8')
  const body = extname(path) === '.ts' ? stripTypes(text) : text
  // A browser asks each time, and gets a 304.
  return createStaticDocument(body, { contentType: mediaTypes[extname(path)]!, cacheControl: 'no-cache' })
}

/** Node warns that this function is experimental, although it runs TypeScript in the same way. A demo's terminal needs no such warning. */
function stripTypes(text: string): string {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return stripTypeScriptTypes(text)
  } finally {
    process.emitWarning = emitWarning
  }
}
