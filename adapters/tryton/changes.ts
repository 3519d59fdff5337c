import { type Static, Type } from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import type { Call } from '../../src/ports/call.ts'
import { shape } from '../../src/upstream/shape.ts'
import { changedAt, Identity, identityFields } from './products.ts'
import type { Rpc } from './rpc.ts'
import { withCode } from './search.ts'
import { trytonDatetime } from './values.ts'
import { LOAD_LIMIT_MS, shared, waited } from './waiting.ts'

const Rows = shape(Type.Array(Identity))
type Row = Static<typeof Identity>

/** Asking for both values of `active` is not enough: within an OR, Tryton puts its own filter for active records back. */
const RETIRED_TOO = { active_test: false }
const READ_ROWS = 5_000
/** A longer list of changes is refused: 'overloaded'. */
const MAX_ROWS = 200_000
/** Every page of a list is cut from the same one; a first page takes one as fresh as this. */
const LIST_AGE_MS = 30_000
const FIRST_PAGE_AGE_MS = 5_000
const MAX_LISTS = 4
/** A load runs for longer than its callers wait, outside the guard's count of calls: so many at once, and no more. */
const MAX_LOADS = 2
/** A list may be as old as this where its last page is read. */
export const LIST_LAG_MS = LOAD_LIMIT_MS + LIST_AGE_MS

interface List {
  skus: Promise<string[]>
  /** Not there while it is loading. */
  finishedAt?: number
}

/**
 * SKUs that changed at or after a time, by (time, SKU). Tryton has no field that holds the latest of a product's and its
 * template's dates, so the sorting is done here, over the dates of everything that changed. A load goes on when nobody
 * waits for it any longer: the next try finds it, or its list.
 */
export function changes(rpc: Rpc, now: () => number) {
  const lists = new Map<string, List>()
  const firstFinished = () => lists.entries().find(([, list]) => list.finishedAt !== undefined)
  const underWay = () => [...lists.values()].filter((list) => list.finishedAt === undefined).length

  function load(key: string, requestId: string, work: (call: Call) => Promise<string[]>): List {
    if (underWay() >= MAX_LOADS) {
      throw new UpstreamError('overloaded', `${MAX_LOADS} lists of changes are loading`, { retryAfterMs: 1_000 })
    }
    const list: List = { skus: shared(requestId, LOAD_LIMIT_MS, work) }
    const finished = () => {
      list.finishedAt = now()
    }
    list.skus.then(finished, () => lists.delete(key))
    return list
  }

  return async (since: number, filters: unknown[], offset: number, call: Call): Promise<string[]> => {
    const key = JSON.stringify([since, filters])
    const maxAgeMs = offset > 0 ? LIST_AGE_MS : FIRST_PAGE_AGE_MS
    const held = lists.get(key)
    const fresh = held && (held.finishedAt === undefined || now() - held.finishedAt < maxAgeMs)
    const list = fresh ? held : load(key, call.requestId, (shared) => changedSince(rpc, since, filters, shared))
    lists.delete(key)
    lists.set(key, list)
    if (lists.size > MAX_LISTS) lists.delete(firstFinished()![0])
    return waited(list.skus, call)
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
