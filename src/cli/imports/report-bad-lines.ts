import type { InvalidLine } from '../../imports/import-report.ts'
import { printError } from '../print.ts'

const PRINTED_BAD_LINES = 20
/** JSON is printed at the end: its bad lines are in memory until then. */
const MAX_BAD_LINES_IN_JSON = 100_000

export interface BadLineReporter {
  /** For JSON. */
  collected: InvalidLine[]
  add(bad: InvalidLine): void
}

/** Prints the first bad lines at once, or collects them for JSON. */
export function reportBadLines({ all = false, json = false }: { all?: boolean; json?: boolean }): BadLineReporter {
  const collected: InvalidLine[] = []
  let count = 0
  return {
    collected,
    add(bad) {
      count += 1
      if (json) {
        if (collected.length < MAX_BAD_LINES_IN_JSON) collected.push(bad)
      } else if (all || count <= PRINTED_BAD_LINES) printError(`line ${bad.line}: ${bad.mistake}`)
      else if (count === PRINTED_BAD_LINES + 1) printError('… (--all prints every bad line)')
    },
  }
}
