import type { DatabaseSync } from 'node:sqlite'
import { sortUnique } from '../id-set.ts'

/** Finds products by a normalized number. Returns those with that number, and those with one that begins with it, ascending. */
export type NumberMatcher = (number: string, customerId: string | null) => [exact: Uint32Array, beginning: Uint32Array]

const MIN_BEGINNING = 3
const NONE = new Uint32Array()

/** A customer's own numbers match only for that customer. `maxFound`: of each of the two. */
export function createNumberMatcher(database: DatabaseSync, maxFound = 1_000): NumberMatcher {
  const prepare = (condition: string) => {
    const statement = database.prepare(
      `SELECT id FROM numbers WHERE ${condition} AND customer_id IN ('', ?) LIMIT ${maxFound}`,
    )
    statement.setReturnArrays(true)
    return (...values: string[]) => {
      const rows = statement.all(...values) as unknown as [number][]
      const ids = new Uint32Array(rows.length)
      for (let at = 0; at < rows.length; at++) ids[at] = rows[at]![0]
      return sortUnique(ids)
    }
  }
  const [findExact, findBeginning] = [prepare('number = ?'), prepare('number > ? AND number < ?')]
  return (number, customerId) => {
    if (number === '') return [NONE, NONE]
    const isBeginning = number.length >= MIN_BEGINNING && /\d/.test(number)
    return [
      findExact(number, customerId ?? ''),
      isBeginning ? findBeginning(number, `${number}\u{10FFFF}`, customerId ?? '') : NONE,
    ]
  }
}
