import { closestMatch } from 'leven'

const MIN_DISTANCE = 2

/** Returns a suggestion for an unknown name, if a known one is similar. */
export function suggestName(name: string, known: readonly string[]): string | undefined {
  const maxDistance = Math.min(Math.max(MIN_DISTANCE, Math.floor(name.length / 3)), name.length - 1)
  const match = closestMatch(name, known, { maxDistance })
  return match === undefined ? undefined : `Did you mean ${match}?`
}
