import { type Static, Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import { shape } from '../../../src/upstream/response-schema.ts'
import { changeLists } from '../client/change-list-cache.ts'
import { latestOf, type Stamp } from '../client/change-feed.ts'
import { changedPictures } from './picture-changes.ts'
import { changedAt, Identity, identityFields } from './product-rows.ts'
import type { Rpc } from '../client/rpc.ts'
import { withCode } from './search-domain.ts'
import { trytonDatetime } from '../client/tryton-values.ts'

const Rows = shape(Type.Array(Identity))
type Row = Static<typeof Identity>

/** Asking for both values of `active` is not enough: within an OR, Tryton puts its own filter for active records back. */
const RETIRED_TOO = { active_test: false }
const READ_ROWS = 5_000
/** A longer list of changes is refused: 'overloaded'. */
const MAX_ROWS = 200_000
const FIRST_PAGE_AGE_MS = 5_000

/**
 * SKUs that changed at or after a time, by (time, SKU). Tryton has no field that holds the latest of a product's and its
 * template's dates, and their pictures have dates of their own, so the sorting is done here, over the dates of everything that changed.
 */
export function changes(rpc: Rpc, now: () => number) {
  const list = changeLists<string>(now, FIRST_PAGE_AGE_MS)
  return (since: number, filters: unknown[], offset: number, call: Call): Promise<string[]> =>
    list(JSON.stringify([since, filters]), offset, call, async (shared) => {
      const found = [changedProducts(rpc, since, filters, shared), changedPictures(rpc, since, filters, shared)]
      const changed = latestOf((await Promise.all(found)).flat()).filter(({ at }) => at >= since)
      return changed.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)).map(({ id }) => id)
    })
}

/** The SKUs of products, and of their templates, that were written at or after a time, each with that time. */
export async function changedProducts(
  rpc: Rpc,
  since: number,
  filters: unknown[],
  call: Call,
): Promise<Stamp<string>[]> {
  const domain = [...withCode, datesFrom(since), ...filters]
  const rows: Row[] = []
  for (;;) {
    const more = await nextRows(rpc, domain, rows.at(-1)?.id ?? 0, call)
    for (const row of more) rows.push(row)
    if (more.length < READ_ROWS) return stamped(rows, since)
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

function stamped(rows: readonly Row[], since: number): Stamp<string>[] {
  const bySku = [...Map.groupBy(rows, (row) => row.code)].map(([id, records]) => ({ id, at: changedAt(records) }))
  return bySku.filter(({ at }) => at >= since)
}
