import { escapeControlCharacters } from '../escape-control-characters.ts'

/** As many lines of a stack say where something came from. */
const SHORT_STACK_FRAMES = 3
const FRAME = /^\s*at /

/** Formats an error on lines of its own: its stack, of which a warning needs only the first lines. */
export function formatLogError(err: unknown, { isWhole }: { isWhole: boolean }): string {
  const stack = (err as { stack?: unknown } | null)?.stack
  const text = typeof stack === 'string' ? stack : JSON.stringify(err)
  const lines = text.split('\n')
  return (isWhole ? lines : shortenStack(lines)).map((line) => `\n    ${escapeControlCharacters(line)}`).join('')
}

/** Keeps the first frames of the error and of each cause. */
function shortenStack(lines: readonly string[]): string[] {
  let frames = 0
  return lines.flatMap((line, index) => {
    frames = FRAME.test(line) ? frames + 1 : 0
    if (frames <= SHORT_STACK_FRAMES) return [line]
    return FRAME.test(lines[index + 1] ?? '') ? [] : [`    … ${frames - SHORT_STACK_FRAMES} more`]
  })
}

interface LoggedSection {
  name: string
  outcome: string
  ms: number
  staleAsOf?: unknown
  mirrored?: unknown
}

/** Formats the sections of a request as `price timeout 700 ms, tax ok 3 ms`; `null`: the value is something else. */
export function formatLogSections(value: unknown): string | null {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isLoggedSection)) return null
  const texts = value.map(({ name, outcome, ms, staleAsOf, mirrored }) =>
    [name, outcome, ms, 'ms', staleAsOf ? 'stale' : '', mirrored ? 'mirrored' : '']
      .filter((part) => part !== '')
      .join(' '),
  )
  return `(${texts.join(', ')})`
}

const isLoggedSection = (entry: Partial<LoggedSection> | null): entry is LoggedSection =>
  typeof entry?.name === 'string' && typeof entry.outcome === 'string' && typeof entry.ms === 'number'
