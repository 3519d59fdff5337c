import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { BinaryFile } from '../protocol/schema-types.ts'

const FOLDER = new URL('../../../fixtures/originals/', import.meta.url)
const types: Readonly<Record<string, string>> = { '.jpg': 'image/jpeg', '.png': 'image/png' }
const kept = new Map<string, BinaryFile>()

/** A picture of the fixtures as a back office keeps it, known by its content. */
export function readOriginalPicture(file: string): BinaryFile {
  const found = kept.get(file) ?? read(file)
  kept.set(file, found)
  return found
}

function read(file: string): BinaryFile {
  const bytes = readFileSync(new URL(file, FOLDER))
  return { tag: hash('sha256', bytes).slice(0, 32), type: types[extname(file)]!, bytes }
}
