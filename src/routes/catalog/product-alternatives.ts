import type { Alternative } from '../../contract/product.ts'
import type { SkuReferences } from '../../ports/reference.ts'
import { columnSection, type Section, valueSection } from '../../sections/section.ts'
import type { BackOffice } from '../../upstream/back-office.ts'
import type { LoadResult } from '../../upstream/cached-loader.ts'
import type { RequestScope } from '../../upstream/request-scope.ts'
import { toPriceInfo } from './product-view.ts'

export interface AlternativesParts {
  backOffice: BackOffice
  customerId: string | null
  currency: string
  requestScope: RequestScope
}

const NONE: Section<Alternative[]> = { value: [], error: null, stale: false, partial: false, asOf: 0 }

/** The section of the products that may be sold instead. It fails alone; one without a price or a band is listed without it. */
export async function loadAlternatives(
  references: LoadResult<SkuReferences>,
  parts: AlternativesParts,
): Promise<Section<Alternative[] | null>> {
  if (references.value === null) return { ...valueSection(references), value: null }
  const { related } = references.value
  if (related.length === 0) return NONE
  const { backOffice, customerId, currency, requestScope } = parts
  const skus = related.map(({ sku }) => sku)
  const [products, prices, bands] = await Promise.all([
    backOffice.products(skus, requestScope).then(columnSection),
    backOffice.prices(skus, customerId, requestScope).then(columnSection),
    backOffice.availability(skus, requestScope).then(columnSection),
  ])
  const value = related.flatMap(({ sku, relation }, at): Alternative[] => {
    const product = products.value[at]
    if (!product?.active) return []
    const [price, band] = [prices.value[at] ?? null, bands.value[at] ?? null]
    return [
      {
        sku,
        name: product.name,
        relation,
        price: price && toPriceInfo(price, currency),
        availability: band && { band: band.band, eta: band.eta },
      },
    ]
  })
  return summarize(value, [products, prices, bands])
}

/** One failure speaks for the section. What the back office does not offer is missing from the page itself, which says so. */
function summarize(value: Alternative[], columns: readonly Section<unknown>[]): Section<Alternative[] | null> {
  const failed = columns.filter(({ error }) => error && error.failure !== 'not_configured')
  const [first] = failed
  if (!first) return { ...NONE, value }
  const stale = failed.every((column) => column.stale)
  const isLost = value.length === 0 && failed.includes(columns[0]!) && !stale
  return {
    value: isLost ? null : value,
    error: first.error,
    stale,
    partial: !stale && !isLost,
    asOf: failed.reduce((oldest, { asOf }) => Math.min(oldest, asOf), Number.POSITIVE_INFINITY),
    system: first.system,
  }
}
