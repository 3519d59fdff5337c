import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The absolute path of the launcher of this installation. */
export const launcherPath = fileURLToPath(new URL('bin/forecourt.js', import.meta.url))
const fromHere = relative(process.cwd(), launcherPath)

/** Quotes a word of a command line for a POSIX shell, if it needs that. */
export const quoteForShell = (word: string): string =>
  /^[\w./:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

/**
 * The command line of this installation, for hints. npx must not download a package: in the public registry, anybody could publish one of this
 * name.
 */
export const forecourtCommand = fromHere.startsWith(`node_modules${sep}`)
  ? 'npx --no -- forecourt'
  : `node ${quoteForShell(fromHere.startsWith('..') ? launcherPath : fromHere)}`
