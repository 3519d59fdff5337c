import type { UpstreamError } from '../errors.ts'
import type { Item, Product, Stock } from '../ports/inventory.ts'
import type { Price } from '../ports/pricing.ts'
import { attempt, type Patience } from './call-once.ts'
import type { Connections } from './connect-ports.ts'

/** One SKU, as all systems have it. `undefined` members were not asked for. */
export interface Good {
  sku: string
  product: Product | null
  stock: Stock | null
  /** Whether `items` finds it too. */
  found: boolean
  price?: Price | null
  taxed?: boolean
}

export interface Walked {
  goods: Good[]
  /** SKUs that stood on two pages. */
  doubled: string[]
  /** What ended the walk before its end. */
  broken: UpstreamError | null
}

const MOST_A_PAGE = 100
const PARTS = { product: true, stock: true }

export interface WalkOptions {
  sample: number
  patience: Patience
  onProgress(done: number): void
}

/** Reads the catalog page by page, and of each page what the other systems say. */
export async function walk(all: Connections, { sample, patience, onProgress }: WalkOptions): Promise<Walked> {
  const connections = { ...all }
  const port = connections.inventory?.port
  const goods = new Map<string, Good>()
  const doubled: string[] = []
  let offset = 0
  for (let more = port !== undefined; port && more && goods.size < sample; ) {
    const limit = Math.min(MOST_A_PAGE, port.maxSkus, sample - goods.size)
    const page = await attempt((call) => port.search({ limit, offset }, PARTS, call), patience)
    if ('error' in page) return { goods: [...goods.values()], doubled, broken: page.error }
    doubled.push(...page.value.items.flatMap(({ sku }) => (goods.has(sku) ? [sku] : [])))
    for (const good of await looked(page.value.items, connections, patience)) goods.set(good.sku, good)
    offset += limit
    more = page.value.has_more
    onProgress(goods.size)
  }
  return { goods: [...goods.values()], doubled, broken: null }
}

/** A system that fails here has a row of its own: its part is not judged, and it is not asked again. */
async function looked(items: readonly Item[], connections: Connections, patience: Patience): Promise<Good[]> {
  const skus = items.map(({ sku }) => sku)
  if (skus.length === 0) return []
  const { inventory, pricing, accounting } = connections
  const [found, prices, taxes] = await Promise.all([
    inBatches(skus, inventory, (port, part) => attempt((call) => port.items(part, PARTS, call), patience)),
    inBatches(skus, pricing, (port, part) => attempt((call) => port.prices(part, null, call), patience)),
    inBatches(skus, accounting, (port, part) => attempt((call) => port.taxes(part, null, call), patience)),
  ])
  if (prices === null) delete connections.pricing
  if (taxes === null) delete connections.accounting
  return items.map(({ sku, product = null, stock = null }) => ({
    ...{ sku, product, stock },
    found: found?.has(sku) ?? true,
    ...(prices && { price: prices.get(sku) ?? null }),
    ...(taxes && { taxed: taxes.has(sku) }),
  }))
}

async function inBatches<Port extends { maxSkus: number }, Row extends { sku: string }>(
  skus: readonly string[],
  connected: { port: Port } | undefined,
  ask: (port: Port, part: string[]) => Promise<{ value: Row[] } | { error: unknown }>,
): Promise<Map<string, Row> | null> {
  if (!connected) return null
  const rows = new Map<string, Row>()
  for (let at = 0; at < skus.length; at += connected.port.maxSkus) {
    const answer = await ask(connected.port, skus.slice(at, at + connected.port.maxSkus))
    if ('error' in answer) return null
    for (const row of answer.value) rows.set(row.sku, row)
  }
  return rows
}
