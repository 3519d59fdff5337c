import type { ProductListItem } from '../../contract/catalog/product.ts'
import type { ApiRequest } from '../../http/route.ts'
import type { Product } from '../../ports/inventory.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { columnSection, optional, required } from '../../sections/section.ts'
import type { SectionError } from '../../sections/section-errors.ts'
import type { SectionTrace } from '../../sections/section-trace.ts'
import { availabilitySection, mediaSection, priceSections } from './product-row-sections.ts'
import { shareSkuSectionLoads } from './share-sku-section-loads.ts'
import { toProductListItem } from './to-product-list-item.ts'

export type ListScope = Pick<ApiRequest, 'backOffice' | 'customerId' | 'merchant' | 'requestScope'>

/** Products as a list shows them, in the order of their SKUs. */
export interface ListRows {
  products: Product[]
  itemOf(product: Product): ProductListItem
  /** Why products are missing. */
  gaps: SectionError[]
  /** Why their sections are missing. */
  errors: SectionError[]
  traces: SectionTrace[]
}

export interface ListRowsReader {
  /** Starts loading the prices of SKUs before their products are known. */
  prefetchPrices(skus: readonly string[]): void
  prefetch(skus: readonly string[]): void
  /** Reads products and their sections. Withdrawn products are left out, unless a sync asks for them. */
  readSkus(skus: readonly string[], includesWithdrawn?: boolean): Promise<ListRows>
  /** Reads the sections of products. Withdrawn ones have none. */
  readSections(products: readonly Product[]): Promise<Omit<ListRows, 'gaps'>>
}

/** Creates the reader of one list. What was prefetched is not loaded twice. */
export function createListRowsReader({ backOffice, customerId, merchant, requestScope }: ListScope): ListRowsReader {
  const loadPrices = shareSkuSectionLoads((skus) => priceSections(backOffice, skus, customerId, requestScope))
  const loadAvailability = shareSkuSectionLoads((skus) => availabilitySection(backOffice, skus, requestScope))

  async function readSections(products: readonly Product[]) {
    const active = products.filter((product) => product.active).map(({ sku }) => sku)
    const [prices, stock] = [loadPrices(active), loadAvailability(active)]
    const { values, errors, traces } = await fanOut(requestScope, {
      ...prices.sections,
      ...stock.sections,
      media: optional(mediaSection(products)),
    })
    const { price, tax, availability } = values
    const itemOf = (product: Product) => {
      const row = prices.rowOf.get(product.sku)!
      const band = availability[stock.rowOf.get(product.sku)!] ?? null
      return toProductListItem(product, price[row] ?? null, tax[row] ?? null, band, merchant.currency)
    }
    return { products: [...products], itemOf, errors, traces }
  }

  return {
    prefetchPrices: (skus) => void loadPrices(skus),
    prefetch(skus) {
      loadPrices(skus)
      loadAvailability(skus)
    },
    readSections,
    async readSkus(skus, includesWithdrawn = false) {
      const rows = await fanOut(requestScope, {
        data: required(backOffice.products(skus, requestScope).then(columnSection)),
      })
      const found = rows.values.data.filter((product) => product !== null)
      const { traces, ...read } = await readSections(found.filter(({ active }) => active || includesWithdrawn))
      return { ...read, gaps: rows.errors, traces: [...rows.traces, ...traces] }
    },
  }
}
