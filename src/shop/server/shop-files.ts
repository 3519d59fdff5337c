import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripTypes } from '../../files/strip-types.ts'
import { mediaTypes } from '../../http/responses/media-types.ts'
import { createStaticDocument, type StaticDocument } from '../../http/responses/static-document.ts'

const source = resolve(import.meta.dirname, '../..')
/** Node has files of its own for its servers. The ones for browsers are a folder further up. */
const litFolder = resolve(fileURLToPath(import.meta.resolve('lit-html')), '../..')
const litFiles = ['lit-html.js', 'directive.js', 'directive-helpers.js', 'directives/repeat.js']
/** The pages, and the client that they import by relative paths. */
const folders = ['shop/pages', 'client', 'client/generated']

/** Serves files from memory. Each is read, and rid of its types, when the first browser asks for it: the start of the demo takes no longer. */
export function createShopFiles() {
  const paths = new Map(folders.flatMap(listFiles))
  for (const name of litFiles) paths.set(`lit-html/${name}`, join(litFolder, name))
  const documents = new Map<string, StaticDocument>()
  return {
    /** The path of the first script, below the assets. The npm package has compiled files. */
    main: paths.has('shop/pages/main.ts') ? 'shop/pages/main.ts' : 'shop/pages/main.js',
    find(path: string): StaticDocument | undefined {
      const file = paths.get(path)
      return file === undefined ? undefined : documents.getOrInsertComputed(path, () => loadDocument(file))
    },
  }
}

function listFiles(folder: string): [path: string, file: string][] {
  const names = readdirSync(join(source, folder)).filter((name) => mediaTypes[extname(name)])
  return names.map((name) => [`${folder}/${name}`, join(source, folder, name)])
}

function loadDocument(file: string): StaticDocument {
  const text = readFileSync(file, 'utf8')
  const script = extname(file) === '.ts' ? stripTypes(text) : text
  // Browsers do not know packages by their names. The policy allows no import map in the page.
  const body = script.replace("'lit-html'", "'lit-html/lit-html.js'").replace(/'(?=lit-html\/)/g, "'/shop/assets/")
  // A browser asks each time, and gets a 304.
  return createStaticDocument(body, { contentType: mediaTypes[extname(file)]!, cacheControl: 'no-cache' })
}
