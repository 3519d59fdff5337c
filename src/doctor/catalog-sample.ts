import type { UpstreamError } from '../errors.ts'
import type { InventoryItem, Product, Stock } from '../ports/inventory.ts'
import type { Price } from '../ports/pricing.ts'
import { callOnce, type ProbeLimits } from './call-once.ts'
import type { TargetConnections } from './connect-ports.ts'

/** One SKU, as all systems have it. `undefined` members were not asked for. */
export interface SampledProduct {
  sku: string
  product: Product | null
  stock: Stock | null
  /** Whether `items` finds it too. */
  isFoundByItems: boolean
  price?: Price | null
  hasTax?: boolean
}

export interface CatalogSample {
  products: SampledProduct[]
  /** SKUs that stood on two pages. */
  duplicateSkus: string[]
  /** What ended the walk before its end. */
  error: UpstreamError | null
}

const MOST_A_PAGE = 100
const PARTS = { product: true, stock: true }

export interface CatalogSampleOptions {
  sample: number
  patience: ProbeLimits
  onProgress(done: number): void
}

/** Reads the catalog page by page, and of each page what the other systems say. */
export async function sampleCatalog(
  all: TargetConnections,
  { sample, patience, onProgress }: CatalogSampleOptions,
): Promise<CatalogSample> {
  const connections = { ...all }
  const port = connections.inventory?.port
  const goods = new Map<string, SampledProduct>()
  const doubled: string[] = []
  let offset = 0
  for (let more = port !== undefined; port && more && goods.size < sample; ) {
    const limit = Math.min(MOST_A_PAGE, port.maxSkus, sample - goods.size)
    const page = await callOnce((call) => port.search({ limit, offset }, PARTS, call), patience)
    if ('error' in page) return { products: [...goods.values()], duplicateSkus: doubled, error: page.error }
    doubled.push(...page.value.items.flatMap(({ sku }) => (goods.has(sku) ? [sku] : [])))
    for (const good of await looked(page.value.items, connections, patience)) goods.set(good.sku, good)
    offset += limit
    more = page.value.has_more
    onProgress(goods.size)
  }
  return { products: [...goods.values()], duplicateSkus: doubled, error: null }
}

/** A system that fails here has a row of its own: its part is not judged, and it is not asked again. */
async function looked(
  items: readonly InventoryItem[],
  connections: TargetConnections,
  patience: ProbeLimits,
): Promise<SampledProduct[]> {
  const skus = items.map(({ sku }) => sku)
  if (skus.length === 0) return []
  const { inventory, pricing, accounting } = connections
  const [found, prices, taxes] = await Promise.all([
    inBatches(skus, inventory, (port, part) => callOnce((call) => port.items(part, PARTS, call), patience)),
    inBatches(skus, pricing, (port, part) => callOnce((call) => port.prices(part, null, call), patience)),
    inBatches(skus, accounting, (port, part) => callOnce((call) => port.taxes(part, null, call), patience)),
  ])
  if (prices === null) delete connections.pricing
  if (taxes === null) delete connections.accounting
  return items.map(({ sku, product = null, stock = null }) => ({
    sku,
    product,
    stock,
    isFoundByItems: found?.has(sku) ?? true,
    ...(prices && { price: prices.get(sku) ?? null }),
    ...(taxes && { hasTax: taxes.has(sku) }),
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
