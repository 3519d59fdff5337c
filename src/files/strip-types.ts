import { stripTypeScriptTypes } from 'node:module'

/** Removes the types from TypeScript. Node warns that this is experimental, although it runs TypeScript in the same way: nobody needs that warning. */
export function stripTypes(text: string): string {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return stripTypeScriptTypes(text)
  } finally {
    process.emitWarning = emitWarning
  }
}
