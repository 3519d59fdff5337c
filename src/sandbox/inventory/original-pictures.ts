import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { BinaryFile } from '../protocol/operation.ts'

const FOLDER = new URL('../../../fixtures/originals/', import.meta.url)
const types: Readonly<Record<string, string>> = { '.jpg': 'image/jpeg', '.png': 'image/png' }
const cache = new Map<string, BinaryFile>()

/** An original picture of the fixtures, tagged by its content. */
export function readOriginalPicture(file: string): BinaryFile {
  const picture = cache.get(file) ?? read(file)
  cache.set(file, picture)
  return picture
}

function read(file: string): BinaryFile {
  const bytes = readFileSync(new URL(file, FOLDER))
  return { tag: hash('sha256', bytes).slice(0, 32), type: types[extname(file)]!, bytes }
}
