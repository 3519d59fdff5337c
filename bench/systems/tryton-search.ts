import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { MirrorRow } from '../../src/catalog/mirror/file/mirror-row.ts'
import type { Product } from '../../src/ports/inventory.ts'
import { trytonAccess, trytonHome } from '../../test/live/support/tryton-environment.ts'
import { connectTrytonPorts } from '../../test/support/tryton/connect-tryton.ts'

const PAGE = 200

export interface TrytonSearch extends AsyncDisposable {
  /** All its products, as the rows of a mirror. */
  readonly rows: readonly MirrorRow[]
  /** Searches through Tryton's own API, and returns the number of products on the first page. */
  search(query: { q?: string; category?: string }): Promise<number>
}

/** Connects the Tryton of test/support/tryton/tryton.sh; `null`: none is running. */
export async function openTrytonSearch(): Promise<TrytonSearch | null> {
  if (!existsSync(join(trytonHome(), 'env'))) return null
  const { storefront } = trytonAccess()
  if (!(await isListening(storefront.address))) return null
  const { inventory, close } = connectTrytonPorts(storefront)
  const call = { signal: new AbortController().signal, timeoutMs: () => 60_000, requestId: 'bench' }
  const find = (query: object, offset = 0) =>
    inventory.search({ limit: PAGE, ...query, offset }, { product: true, stock: false }, call)
  const products: Product[] = []
  for (let hasMore = true; hasMore; ) {
    const page = await find({}, products.length)
    products.push(...page.items.flatMap(({ product }) => product ?? []))
    hasMore = page.has_more
  }
  return {
    rows: products.map(toRow),
    search: async (query) => (await find({ ...query, limit: 50 })).items.length,
    [Symbol.asyncDispose]: close,
  }
}

const isListening = (address: string): Promise<boolean> =>
  fetch(address).then(
    () => true,
    () => false,
  )

const toRow = (product: Product, index: number): MirrorRow => ({
  sku: product.sku,
  sequence: index + 1,
  product,
  ...{ price_as_of: null, stock_as_of: null, references: [], vehicles: [], universal: false, popularity: 0 },
})
