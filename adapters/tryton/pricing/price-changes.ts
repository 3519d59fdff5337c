import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { ResponseSchema } from '../../../src/ports/http-client.ts'
import type { PricingPort } from '../../../src/ports/pricing.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { type ChangeStamp, createChangeFeed, latestStampPerId } from '../../change-feed.ts'
import { readProductChanges } from '../catalog/product-changes.ts'
import { onSaleDomain } from '../catalog/search-domain.ts'
import type { Capabilities } from '../client/capabilities.ts'
import { changedSinceDomain } from '../client/changed-since-domain.ts'
import type { Rpc } from '../client/rpc.ts'
import { lastWrittenAtMs, nullable, TrytonId, timestampFields } from '../client/tryton-values.ts'

const Lists = responseSchema(Type.Array(Type.Object({ id: TrytonId, ...timestampFields })))
const Lines = responseSchema(
  Type.Array(
    Type.Object({ id: TrytonId, product: nullable(TrytonId), category: nullable(TrytonId), ...timestampFields }),
  ),
)
const Codes = responseSchema(Type.Array(Type.Object({ id: TrytonId, code: Type.String() })))
const DATES = Object.keys(timestampFields)

/** A price list of 100,000 products is written in one transaction, and so is every price on it. */
const MAX_ROWS = 200_000
const PAGE_SIZE = 5_000
/** The maximum number of ids in one call. */
const MAX_IDS = 2_000

/** Creates the change feed of prices. A SKU changes when its product, a price list for it, or a line of such a list is written. */
export function createPriceChangeFeed(
  rpc: Rpc,
  capabilities: Capabilities,
  nowMs: () => number,
): Required<PricingPort>['priceChanges'] {
  const readProducts = (domain: unknown[], call: Call) =>
    readAll(rpc, Codes, 'product.product', [...onSaleDomain, ...domain], ['code'], call)

  /**
   * Reads the SKUs that changed price lists and lines apply to. All lines of categories get the time of the latest one,
   * so no change gets too early a time.
   */
  async function readPriceListChanges(since: number, call: Call): Promise<ChangeStamp<string>[]> {
    if (!(await capabilities.has('priceLists', call))) return []
    const changedDomain = [changedSinceDomain(since, '')]
    const [lists, lines] = await Promise.all([
      readAll(rpc, Lists, 'product.price_list', changedDomain, DATES, call),
      readAll(rpc, Lines, 'product.price_list.line', changedDomain, ['product', 'category', ...DATES], call),
    ])
    const productLines = lines.filter(({ product }) => product !== null)
    const categoryLines = lines.filter(({ product, category }) => product === null && category !== null)
    const globalRows = [...lists, ...lines.filter(({ product, category }) => product === null && category === null)]
    const stamps: ChangeStamp<string>[] = []
    const addStamps = (products: { id: number; code: string }[], at: (id: number) => number) => {
      for (const { id, code } of products) stamps.push({ id: code, at: at(id) })
    }
    if (globalRows.length > 0) addStamps(await readProducts([], call), () => latestWrittenAtMs(globalRows))
    const categories = [...new Set(categoryLines.map(({ category }) => category!))]
    for (const ids of splitIntoChunks(categories))
      addStamps(await readProducts([['categories', 'child_of', ids, 'parent']], call), () =>
        latestWrittenAtMs(categoryLines),
      )
    const timeByProduct = new Map(
      latestStampPerId(productLines.map((line) => ({ id: line.product!, at: lastWrittenAtMs(line) }))).map(
        ({ id, at }) => [id, at],
      ),
    )
    for (const ids of splitIntoChunks([...timeByProduct.keys()]))
      addStamps(await readProducts([['id', 'in', ids]], call), (id) => timeByProduct.get(id)!)
    return stamps
  }

  return createChangeFeed(
    nowMs,
    {
      async readStamps(since, call) {
        const stamps = await Promise.all([readProductChanges(rpc, since, [], call), readPriceListChanges(since, call)])
        return latestStampPerId(stamps.flat())
      },
      loadRows: async (page) => page.map(({ id, at }) => ({ sku: id, updated_at: new Date(at).toISOString() })),
    },
    MAX_ROWS,
  )
}

/** Reads the matching rows of a model, page by page. */
async function readAll<R extends { id: number }>(
  rpc: Rpc,
  shape: ResponseSchema<R[]>,
  model: string,
  domain: unknown[],
  fields: string[],
  call: Call,
) {
  const rows: R[] = []
  for (;;) {
    const after = ['id', '>', rows.at(-1)?.id ?? 0]
    const params = [[...domain, after], 0, PAGE_SIZE, [['id', 'ASC']], fields]
    const page = await rpc(shape, `${model}.search_read`, params, call)
    for (const row of page) rows.push(row)
    if (page.length < PAGE_SIZE) return rows
    if (rows.length >= MAX_ROWS)
      throw new UpstreamError('overloaded', `over ${MAX_ROWS} of ${model} changed since then`)
  }
}

const latestWrittenAtMs = (rows: readonly Parameters<typeof lastWrittenAtMs>[0][]) =>
  rows.reduce((latest, row) => Math.max(latest, lastWrittenAtMs(row)), 0)

const splitIntoChunks = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / MAX_IDS) }, (_, part) =>
    items.slice(part * MAX_IDS, (part + 1) * MAX_IDS),
  )
