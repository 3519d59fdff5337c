import { type Static, Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import { type ChangeStamp, latestStampPerId } from '../client/change-feed.ts'
import { createChangeListCache } from '../client/change-list-cache.ts'
import type { Rpc } from '../client/rpc.ts'
import { toTrytonDatetime } from '../client/tryton-values.ts'
import { readPictureChanges } from './picture-changes.ts'
import { IdentityRow, identityFields, productChangedAtMs } from './product-rows.ts'
import { hasSkuDomain } from './search-domain.ts'

const Rows = responseSchema(Type.Array(IdentityRow))
type Row = Static<typeof IdentityRow>

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
export function createProductChangeReader(rpc: Rpc, now: () => number) {
  const list = createChangeListCache<string>(now, FIRST_PAGE_AGE_MS)
  return (since: number, filters: unknown[], offset: number, call: Call): Promise<string[]> =>
    list(JSON.stringify([since, filters]), offset, call, async (shared) => {
      const found = [readProductChanges(rpc, since, filters, shared), readPictureChanges(rpc, since, filters, shared)]
      const changed = latestStampPerId((await Promise.all(found)).flat()).filter(({ at }) => at >= since)
      return changed.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)).map(({ id }) => id)
    })
}

/** The SKUs of products, and of their templates, that were written at or after a time, each with that time. */
export async function readProductChanges(
  rpc: Rpc,
  since: number,
  filters: unknown[],
  call: Call,
): Promise<ChangeStamp<string>[]> {
  const domain = [...hasSkuDomain, datesFrom(since), ...filters]
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
  const from = toTrytonDatetime(since)
  const dates = ['write_date', 'create_date', 'template.write_date', 'template.create_date']
  return ['OR', ...dates.map((field) => [[field, '>=', from]])]
}

function stamped(rows: readonly Row[], since: number): ChangeStamp<string>[] {
  const bySku = [...Map.groupBy(rows, (row) => row.code)].map(([id, records]) => ({
    id,
    at: productChangedAtMs(records),
  }))
  return bySku.filter(({ at }) => at >= since)
}
