import type { UpstreamError } from '../errors.ts'
import type { InventoryItem, Product, Stock } from '../ports/inventory.ts'
import type { Price } from '../ports/pricing.ts'
import { callWithDeadline, type ProbeLimits } from './call-with-deadline.ts'
import type { TargetConnections } from './connect-ports.ts'

/** One SKU as every system has it. `undefined`: that system was not called. */
export interface SampledProduct {
  sku: string
  product: Product | null
  stock: Stock | null
  /** False when `search` returns the SKU and `items` does not. */
  isFoundByItems: boolean
  price?: Price | null
  hasTax?: boolean
}

export interface CatalogSample {
  products: SampledProduct[]
  /** SKUs that appeared on two pages. */
  duplicateSkus: string[]
  /** The failure that ended the sampling early. */
  error: UpstreamError | null
}

export interface CatalogSampleOptions {
  sampleSize: number
  limits: ProbeLimits
  onProgress(productCount: number): void
}

const MAX_PAGE_SIZE = 100
const PARTS = { product: true, stock: true }

/** Reads the catalog page by page, and the other systems' data for the products of each page. */
export async function sampleCatalog(
  targetConnections: TargetConnections,
  { sampleSize, limits, onProgress }: CatalogSampleOptions,
): Promise<CatalogSample> {
  const connections = { ...targetConnections }
  const port = connections.inventory?.port
  const products = new Map<string, SampledProduct>()
  const duplicateSkus: string[] = []
  let offset = 0
  for (let hasMore = port !== undefined; port && hasMore && products.size < sampleSize; ) {
    const limit = Math.min(MAX_PAGE_SIZE, port.maxSkus, sampleSize - products.size)
    const page = await callWithDeadline((call) => port.search({ limit, offset }, PARTS, call), limits)
    if ('error' in page) return { products: [...products.values()], duplicateSkus, error: page.error }
    duplicateSkus.push(...page.value.items.flatMap(({ sku }) => (products.has(sku) ? [sku] : [])))
    const sampled = await readSampledProducts(page.value.items, connections, limits)
    for (const product of sampled) products.set(product.sku, product)
    offset += limit
    hasMore = page.value.has_more
    onProgress(products.size)
  }
  return { products: [...products.values()], duplicateSkus, error: null }
}

/** A system that fails here is reported by its own probe: this skips its checks and removes it from `connections`. */
async function readSampledProducts(
  items: readonly InventoryItem[],
  connections: TargetConnections,
  limits: ProbeLimits,
): Promise<SampledProduct[]> {
  const skus = items.map(({ sku }) => sku)
  if (skus.length === 0) return []
  const { inventory, pricing, accounting } = connections
  const [found, prices, taxes] = await Promise.all([
    readInBatches(skus, inventory, (port, batch) => callWithDeadline((call) => port.items(batch, PARTS, call), limits)),
    readInBatches(skus, pricing, (port, batch) => callWithDeadline((call) => port.prices(batch, null, call), limits)),
    readInBatches(skus, accounting, (port, batch) => callWithDeadline((call) => port.taxes(batch, null, call), limits)),
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

async function readInBatches<Port extends { maxSkus: number }, Row extends { sku: string }>(
  skus: readonly string[],
  connection: { port: Port } | undefined,
  readBatch: (port: Port, batch: string[]) => Promise<{ value: Row[] } | { error: unknown }>,
): Promise<Map<string, Row> | null> {
  if (!connection) return null
  const { port } = connection
  const rows = new Map<string, Row>()
  for (let start = 0; start < skus.length; start += port.maxSkus) {
    const result = await readBatch(port, skus.slice(start, start + port.maxSkus))
    if ('error' in result) return null
    for (const row of result.value) rows.set(row.sku, row)
  }
  return rows
}
