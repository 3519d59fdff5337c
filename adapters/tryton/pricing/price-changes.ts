import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { ResponseSchema } from '../../../src/ports/adapter.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { PricingPort } from '../../../src/ports/pricing.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import { readProductChanges } from '../catalog/product-changes.ts'
import { onSaleDomain } from '../catalog/search-domain.ts'
import type { Capabilities } from '../client/capabilities.ts'
import { type ChangeStamp, changedSinceDomain, createChangeFeed, latestStampPerId } from '../client/change-feed.ts'
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

/** A list of 100,000 products is written in one go, and so is every price on it. */
const MOST_PRICES = 200_000
const READ_ROWS = 5_000
/** Ids in one question. */
const AT_ONCE = 2_000

/** SKUs whose product was written, and those that a changed price list, or line of one, is for: it may be all of them. */
export function createPriceChangeFeed(
  rpc: Rpc,
  abilities: Capabilities,
  now: () => number,
): Required<PricingPort>['priceChanges'] {
  /** Rows of a model that were written since, in as many questions as they take. */
  async function every<R extends { id: number }>(
    rows: ResponseSchema<R[]>,
    model: string,
    domain: unknown[],
    fields: string[],
    call: Call,
  ) {
    const all: R[] = []
    for (;;) {
      const after = ['id', '>', all.at(-1)?.id ?? 0]
      const params = [[...domain, after], 0, READ_ROWS, [['id', 'ASC']], fields]
      const more = await rpc(rows, `${model}.search_read`, params, call)
      for (const row of more) all.push(row)
      if (more.length < READ_ROWS) return all
      if (all.length >= MOST_PRICES)
        throw new UpstreamError('overloaded', `over ${MOST_PRICES} of ${model} changed since then`)
    }
  }

  const productsOf = (domain: unknown[], call: Call) =>
    every(Codes, 'product.product', [...onSaleDomain, ...domain], ['code'], call)

  /** What changed lists and lines are for. Those of categories are stamped with the latest of their lines, which tells no change too early. */
  async function listed(since: number, call: Call): Promise<ChangeStamp<string>[]> {
    if (!(await abilities.has('priceLists', call))) return []
    const written = [changedSinceDomain(since, '')]
    const [lists, lines] = await Promise.all([
      every(Lists, 'product.price_list', written, DATES, call),
      every(Lines, 'product.price_list.line', written, ['product', 'category', ...DATES], call),
    ])
    const ofProducts = lines.filter(({ product }) => product !== null)
    const ofCategories = lines.filter(({ product, category }) => product === null && category !== null)
    const ofAll = [...lists, ...lines.filter(({ product, category }) => product === null && category === null)]
    const stamps: ChangeStamp<string>[] = []
    const tell = (rows: { id: number; code: string }[], at: (id: number) => number) => {
      for (const { id, code } of rows) stamps.push({ id: code, at: at(id) })
    }
    if (ofAll.length > 0) tell(await productsOf([], call), () => latestAt(ofAll))
    const categories = [...new Set(ofCategories.map(({ category }) => category!))]
    for (const some of inParts(categories))
      tell(await productsOf([['categories', 'child_of', some, 'parent']], call), () => latestAt(ofCategories))
    const times = new Map(
      latestStampPerId(ofProducts.map((line) => ({ id: line.product!, at: lastWrittenAtMs(line) }))).map(
        ({ id, at }) => [id, at],
      ),
    )
    for (const some of inParts([...times.keys()]))
      tell(await productsOf([['id', 'in', some]], call), (id) => times.get(id)!)
    return stamps
  }

  return createChangeFeed(
    now,
    {
      async changed(since, call) {
        const found = await Promise.all([readProductChanges(rpc, since, [], call), listed(since, call)])
        return latestStampPerId(found.flat())
      },
      load: async (page) => page.map(({ id, at }) => ({ sku: id, updated_at: new Date(at).toISOString() })),
    },
    MOST_PRICES,
  )
}

const latestAt = (rows: readonly Parameters<typeof lastWrittenAtMs>[0][]) =>
  rows.reduce((latest, row) => Math.max(latest, lastWrittenAtMs(row)), 0)

const inParts = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, part) => all.slice(part * AT_ONCE, (part + 1) * AT_ONCE))
