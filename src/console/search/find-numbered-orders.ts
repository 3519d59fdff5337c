import {
  type FoundOrder,
  findOrdersByNumber,
  readLastOrderNumber,
} from '../../storage/console-search/commerce-lookups.ts'
import type { Database } from '../../storage/database.ts'
import { completeNumber, listNumberSpellings } from './document-number-spellings.ts'
import type { SearchText } from './search-text.ts'

/** Each ledger has a few series of numbers. */
const MAX_SERIES = 10

/** Finds orders by the number of the ledger, with other separators or without its letters. */
export async function findNumberedOrders(db: Database, { text, id }: SearchText): Promise<FoundOrder[]> {
  const samples = /^\d+$/.test(id) ? await listSeries(db) : []
  const completed = samples.flatMap((sample) => completeNumber(id, sample))
  return findOrdersByNumber(db, [...new Set([id, ...listNumberSpellings(text), ...completed])])
}

/** Returns the last number of each series, such as `SO-` and `WEB-`. */
async function listSeries(db: Database): Promise<string[]> {
  const samples: string[] = []
  for (let before: string | null = null; samples.length < MAX_SERIES; ) {
    const sample = await readLastOrderNumber(db, before)
    if (sample === null) break
    samples.push(sample)
    const prefix = sample.replace(/\d+$/, '')
    // Nothing is before a number without letters.
    if (prefix === '' || prefix === before) break
    before = prefix
  }
  return samples
}
