import { type Static, Type } from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import type { Call } from '../../src/ports/call.ts'
import { shape } from '../../src/upstream/shape.ts'
import { changedAt, Identity, identityFields } from './products.ts'
import type { Rpc } from './rpc.ts'
import { withCode } from './search.ts'
import { trytonDatetime } from './values.ts'
import { kept } from './waiting.ts'

const Rows = shape(Type.Array(Identity))
type Row = Static<typeof Identity>

/** Asking for both values of `active` is not enough: within an OR, Tryton puts its own filter for active records back. */
const RETIRED_TOO = { active_test: false }
const READ_ROWS = 5_000
/** A longer list of changes is refused: 'overloaded'. */
const MAX_ROWS = 200_000
/** A first page makes a new list; the pages after it are cut from the same one. A few are kept, for so long. */
const LIST_AGE_MS = 30_000
const MAX_LISTS = 4

/**
 * SKUs that changed at or after a time, by (time, SKU). Tryton has no field that holds the latest of a product's and its
 * template's dates, so the sorting is done here, over the dates of everything that changed.
 */
export function changes(rpc: Rpc, now: () => number) {
  const lists = new Map<string, (call: Call) => Promise<string[]>>()
  return (since: number, filters: unknown[], offset: number, call: Call): Promise<string[]> => {
    const key = JSON.stringify([since, filters])
    const paged = offset > 0 ? lists.get(key) : undefined
    const list = paged ?? kept((shared) => changedSince(rpc, since, filters, shared), { maxAgeMs: LIST_AGE_MS, now })
    lists.delete(key)
    lists.set(key, list)
    if (lists.size > MAX_LISTS) lists.delete(lists.keys().next().value!)
    return list(call)
  }
}

async function changedSince(rpc: Rpc, since: number, filters: unknown[], call: Call): Promise<string[]> {
  const domain = [...withCode, datesFrom(since), ...filters]
  const rows: Row[] = []
  for (;;) {
    const more = await nextRows(rpc, domain, rows.at(-1)?.id ?? 0, call)
    for (const row of more) rows.push(row)
    if (more.length < READ_ROWS) return sortedSkus(rows, since)
    if (rows.length >= MAX_ROWS) throw new UpstreamError('overloaded', `over ${MAX_ROWS} products changed since then`)
  }
}

function nextRows(rpc: Rpc, domain: unknown[], afterId: number, call: Call): Promise<Row[]> {
  const params = [[...domain, ['id', '>', afterId]], 0, READ_ROWS, [['id', 'ASC']], identityFields]
  return rpc(Rows, 'product.product.search_read', params, call, RETIRED_TOO)
}

function datesFrom(since: number): unknown[] {
  const from = trytonDatetime(since)
  const dates = ['write_date', 'create_date', 'template.write_date', 'template.create_date']
  return ['OR', ...dates.map((field) => [[field, '>=', from]])]
}

function sortedSkus(rows: readonly Row[], since: number): string[] {
  const bySku = [...Map.groupBy(rows, (row) => row.code)].map(([sku, records]) => ({ sku, at: changedAt(records) }))
  const kept = bySku.filter(({ at }) => at >= since)
  return kept.sort((a, b) => a.at - b.at || (a.sku < b.sku ? -1 : 1)).map(({ sku }) => sku)
}
