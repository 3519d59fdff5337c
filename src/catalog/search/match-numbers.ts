import type { DatabaseSync } from 'node:sqlite'

/** Finds products by a normalized number. Returns 0 for a product with that number, and 1 for one whose number begins with it. */
export type NumberMatcher = (number: string, customerId: string | null) => Map<number, number>

const MIN_BEGINNING = 3

/** A customer's own numbers match only for that customer. `maxFound`: of each of the two. */
export function createNumberMatcher(database: DatabaseSync, maxFound = 1_000): NumberMatcher {
  const own = `customer_id IN ('', ?)`
  const exact = database.prepare(`SELECT DISTINCT id FROM numbers WHERE number = ? AND ${own} LIMIT ${maxFound}`)
  const prefix = database.prepare(
    `SELECT DISTINCT id FROM numbers WHERE number > ? AND number < ? AND ${own} LIMIT ${maxFound}`,
  )
  return (number, customerId) => {
    const tiers = new Map<number, number>()
    const add = (rows: unknown[], tier: number) => {
      for (const { id } of rows as { id: number }[]) if (!tiers.has(id)) tiers.set(id, tier)
    }
    if (number === '') return tiers
    add(exact.all(number, customerId ?? ''), 0)
    if (number.length >= MIN_BEGINNING && /\d/.test(number))
      add(prefix.all(number, `${number}\u{10FFFF}`, customerId ?? ''), 1)
    return tiers
  }
}
