import { type Static, Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { type ChangeStamp, latestStampPerId } from '../../change-feed.ts'
import { createChangeListCache } from '../../change-list-cache.ts'
import { changedSinceDomain } from '../client/changed-since-domain.ts'
import type { Rpc } from '../client/rpc.ts'
import { readPictureChanges } from './picture-changes.ts'
import { productChangedAtMs } from './product-mapping.ts'
import { IdentityRow, identityFields } from './product-schemas.ts'
import { hasSkuDomain } from './search-domain.ts'

const Rows = responseSchema(Type.Array(IdentityRow))
type Row = Static<typeof IdentityRow>

/** A filter on both values of `active` does not suffice: within an OR, Tryton adds its own filter for active records again. */
const INCLUDE_INACTIVE = { active_test: false }
const PAGE_SIZE = 5_000
/** A longer list of changes fails with 'overloaded'. */
const MAX_ROWS = 200_000
const FIRST_PAGE_AGE_MS = 5_000

/**
 * Returns a function that reads the SKUs that changed at or after a time, by (time, SKU). No field in Tryton holds the
 * latest date of a product, its template and its pictures, so all dates are read and sorted here.
 */
export function createProductChangeReader(rpc: Rpc, nowMs: () => number) {
  const loadList = createChangeListCache<string>(nowMs, FIRST_PAGE_AGE_MS)
  return (since: number, filters: unknown[], offset: number, call: Call): Promise<string[]> =>
    loadList(JSON.stringify([since, filters]), offset, call, async (shared) => {
      const sources = [readProductChanges(rpc, since, filters, shared), readPictureChanges(rpc, since, filters, shared)]
      const changed = latestStampPerId((await Promise.all(sources)).flat()).filter(({ at }) => at >= since)
      return changed.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)).map(({ id }) => id)
    })
}

/** Reads the SKUs of products that were written at or after a time, or whose template was, each with that time. */
export async function readProductChanges(
  rpc: Rpc,
  since: number,
  filters: unknown[],
  call: Call,
): Promise<ChangeStamp<string>[]> {
  const domain = [...hasSkuDomain, changedSinceDomain(since, '', 'template.'), ...filters]
  const rows: Row[] = []
  for (;;) {
    const page = await readPage(rpc, domain, rows.at(-1)?.id ?? 0, call)
    for (const row of page) rows.push(row)
    if (page.length < PAGE_SIZE) return toStamps(rows, since)
    if (rows.length >= MAX_ROWS) throw new UpstreamError('overloaded', `over ${MAX_ROWS} products changed since then`)
  }
}

function readPage(rpc: Rpc, domain: unknown[], afterId: number, call: Call): Promise<Row[]> {
  const params = [[...domain, ['id', '>', afterId]], 0, PAGE_SIZE, [['id', 'ASC']], identityFields]
  return rpc(Rows, 'product.product.search_read', params, call, INCLUDE_INACTIVE)
}

function toStamps(rows: readonly Row[], since: number): ChangeStamp<string>[] {
  const bySku = [...Map.groupBy(rows, (row) => row.code)].map(([id, records]) => ({
    id,
    at: productChangedAtMs(records),
  }))
  return bySku.filter(({ at }) => at >= since)
}
