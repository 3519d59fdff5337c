import type { DatabaseSync } from 'node:sqlite'
import { normalizeNumber } from '../../../ports/normalize-number.ts'
import type { Columns } from '../columns/product-columns.ts'
import { sortUnique, unite } from '../id-set.ts'

/**
 * Finds products by a normalized number. Returns those with that number and those that replace a withdrawn product with that SKU, and those
 * with a number that begins with it, ascending.
 */
export type NumberMatcher = (number: string, customerId: string | null) => [exact: Uint32Array, beginning: Uint32Array]

export interface NumberMatcherParts {
  database: DatabaseSync
  columns: () => Columns
}

const MIN_BEGINNING = 3
const MAX_REPLACEMENTS = 20
const NONE = new Uint32Array()

/** A customer's own numbers match only for that customer. `maxFound`: of each of the two. */
export function createNumberMatcher({ database, columns }: NumberMatcherParts, maxFound = 1_000): NumberMatcher {
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
  const listReplacements = prepareReplacements(database)

  /** Withdrawn products are no matches, but what replaces them is, and what replaces a withdrawn replacement. */
  function addReplacements(found: Uint32Array, number: string): Uint32Array {
    const { active } = columns()
    const sets: Uint32Array[] = []
    const numbers = new Set([number])
    for (const one of numbers) {
      const ids = one === number ? found : findExact(one, '')
      sets.push(ids)
      if (numbers.size > MAX_REPLACEMENTS || ids.every((id) => active[id] === 1)) continue
      for (const replacement of listReplacements(one)) numbers.add(replacement)
    }
    return unite(sets)
  }

  return (number, customerId) => {
    if (number === '') return [NONE, NONE]
    const isBeginning = number.length >= MIN_BEGINNING && /\d/.test(number)
    return [
      addReplacements(findExact(number, customerId ?? ''), number),
      isBeginning ? findBeginning(number, `${number}\u{10FFFF}`, customerId ?? '') : NONE,
    ]
  }
}

/** Returns a function that lists the normalized numbers that replace withdrawn products with a SKU. They are the only numbers of these products. */
function prepareReplacements(database: DatabaseSync) {
  const statement = database.prepare(
    `SELECT sku, numbers FROM numbers JOIN products USING (id) WHERE number = ? AND customer_id = '' AND active = 0 LIMIT ${MAX_REPLACEMENTS}`,
  )
  return (number: string): string[] =>
    (statement.all(number) as { sku: string; numbers: string }[])
      .filter(({ sku }) => normalizeNumber(sku) === number)
      .flatMap(({ numbers }) => JSON.parse(numbers) as [kind: number, brand: string, written: string][])
      .map(([, , written]) => normalizeNumber(written))
      .slice(0, MAX_REPLACEMENTS)
}
