import type { DatabaseSync } from 'node:sqlite'
import { cacheFor } from '../cache-by-version.ts'
import { sortUnique } from '../id-set.ts'
import type { Reuse } from '../reuse-tracker.ts'

/**
 * Finds products by the digits of a number that begins with letters: 55692 finds OZ55692. Returns those with that number, then those with a
 * number that continues, ascending. A customer's own numbers match only for that customer.
 */
export type NumberWithoutPrefixMatcher = (number: string, customerId: string | null) => [Uint32Array, Uint32Array]

const DIGITS = /^\d{4,32}$/
const LETTERS_BEFORE_DIGIT = /^(\D+)\d/
/** The character after "9". */
const AFTER_DIGITS = ':'
/** Bounds the time: a search tries all letters that a number begins with. */
const MAX_READ = 10_000
const MAX_FOUND = 200
const NONE = new Uint32Array()

/** `reuse`: allows outdated letters, for a while after the catalog has changed. */
export function createNumberWithoutPrefixMatcher(database: DatabaseSync, reuse: Reuse): NumberWithoutPrefixMatcher {
  const readLetters = cacheFor(reuse, () => JSON.stringify(listLetters(database)))
  const prepare = (condition: string) => {
    const statement = database.prepare(
      `SELECT numbers.id, number = value || :digits AS isExact FROM json_each(:letters) CROSS JOIN numbers
       ON ${condition} AND customer_id IN ('', :customer) LIMIT ${MAX_FOUND}`,
    )
    return (digits: string, customer: string) =>
      statement.all({ letters: readLetters(), digits, customer }) as unknown as FoundNumber[]
  }
  const findExact = prepare('number = value || :digits')
  const findAll = prepare('number >= value || :digits AND number < value || :digits || char(0x10ffff)')

  return (number, customerId) => {
    if (!DIGITS.test(number)) return [NONE, NONE]
    const customer = customerId ?? ''
    const found = findAll(number, customer)
    // Longer numbers may leave no room for a number that is the same.
    const exact = found.length < MAX_FOUND ? found.filter(({ isExact }) => isExact) : findExact(number, customer)
    return [toIds(exact), toIds(found.filter(({ isExact }) => !isExact))]
  }
}

interface FoundNumber {
  id: number
  isExact: 0 | 1
}

const toIds = (found: readonly FoundNumber[]) => sortUnique(Uint32Array.from(found, ({ id }) => id))

/** Returns the letters that numbers begin with. All numbers with the same letters are skipped at once. */
function listLetters(database: DatabaseSync): string[] {
  const findNext = database.prepare('SELECT number FROM numbers WHERE number > ? ORDER BY number LIMIT 1')
  const found: string[] = []
  let last = AFTER_DIGITS
  for (let read = 0; read < MAX_READ; read++) {
    const next = findNext.get(last) as { number: string } | undefined
    if (!next) break
    const letters = LETTERS_BEFORE_DIGIT.exec(next.number)?.[1]
    if (letters !== undefined) found.push(letters)
    last = letters === undefined ? next.number : letters + AFTER_DIGITS
  }
  return found
}
