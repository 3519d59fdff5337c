import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const launcher = fileURLToPath(new URL('bin/forecourt.js', import.meta.url))
const fromHere = relative(process.cwd(), launcher)

/** Quotes a word of a command line for a POSIX shell, if it needs that. */
export const quoteForShell = (word: string): string =>
  /^[\w./:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

/**
 * The command line of this installation, for hints. It is `npx forecourt` only where npm has installed it: elsewhere npx would download a
 * package of that name from the public registry, which is not Forecourt.
 */
export const forecourtCommand = fromHere.startsWith(`node_modules${sep}`)
  ? 'npx forecourt'
  : `node ${quoteForShell(fromHere.startsWith('..') ? launcher : fromHere)}`
