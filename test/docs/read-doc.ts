import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const docs = join(import.meta.dirname, '../../docs')
export const docsFile = (name: string) => join(docs, name)
export const readDoc = (name: string) => readFileSync(docsFile(name), 'utf8')
