import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripTypes } from '../../files/strip-types.ts'
import { createStaticDocument, type StaticDocument } from './static-document.ts'
import { staticMediaTypes } from './static-media-types.ts'

export interface ScriptFilesParts {
  /** The folder of all folders. */
  root: string
  /** The files of these folders are served below their names. */
  folders: readonly string[]
  /** The files of a package for browsers, which are served below its name. */
  package: { name: string; files: readonly string[] }
  /** The URL path of all files. Scripts import from the package by it: browsers do not know packages by their names. */
  urlPath: string
}

/** Files for browsers, by their paths below `urlPath`. */
export interface ScriptFiles {
  has(path: string): boolean
  find(path: string): StaticDocument | undefined
}

/** Comments that fill a line, and the spaces that removed types leave. All else keeps its line. */
const UNUSED = /^ *\/(?:\*.*\*\/|\/ .*)$| +$/gm

/** Serves files from memory. A file is read, and its types and comments removed, at its first request, so that it does not delay the start. */
export function createScriptFiles({ root, folders, package: { name, files }, urlPath }: ScriptFilesParts): ScriptFiles {
  const paths = new Map(folders.flatMap((one) => listFiles(root, one)))
  // Node has files of its own for its servers. The ones for browsers are a folder further up.
  const folder = resolve(fileURLToPath(import.meta.resolve(name)), '../..')
  for (const file of files) paths.set(`${name}/${file}`, join(folder, file))
  const documents = new Map<string, StaticDocument>()

  function loadDocument(file: string): StaticDocument {
    const text = readFileSync(file, 'utf8')
    const script = (extname(file) === '.ts' ? stripTypes(text) : text).replace(UNUSED, '')
    const body = script.replaceAll(`'${name}'`, `'${name}/${name}.js'`).replaceAll(`'${name}/`, `'${urlPath}${name}/`)
    // A browser asks each time, and gets a 304.
    return createStaticDocument(body, { contentType: staticMediaTypes[extname(file)]!, cacheControl: 'no-cache' })
  }

  return {
    has: (path) => paths.has(path),
    find(path) {
      const file = paths.get(path)
      return file === undefined ? undefined : documents.getOrInsertComputed(path, () => loadDocument(file))
    },
  }
}

function listFiles(root: string, folder: string): [path: string, file: string][] {
  const names = readdirSync(join(root, folder)).filter((name) => staticMediaTypes[extname(name)])
  return names.map((name) => [`${folder}/${name}`, join(root, folder, name)])
}
