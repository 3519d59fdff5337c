import { summarizeAvailability } from '../../catalog/availability-bands.ts'
import type { ProductDetail } from '../../contract/catalog/product.ts'
import type { Alternative } from '../../contract/catalog/product-reference.ts'
import type { SkuReferences } from '../../ports/reference.ts'
import { type AssembledSections, fanOut } from '../../sections/fan-out.ts'
import { columnSection, optional, type Section, valueSection } from '../../sections/section.ts'
import type { BackOffice } from '../../upstream/back-office.ts'
import type { LoadResult } from '../../upstream/read-stack/cached-loader.ts'
import type { RequestScope } from '../../upstream/request/request-scope.ts'
import { toPriceInfo } from './to-price-info.ts'

interface ReferencesParts {
  backOffice: BackOffice
  customerId: string | null
  currency: string
  requestScope: RequestScope
}

type ReferenceMembers = Pick<ProductDetail, 'references' | 'supersedes' | 'superseded_by' | 'alternatives'>

/** The members of a product page that come from references. */
export interface AssembledReferences extends Pick<AssembledSections<object>, 'errors' | 'traces'> {
  members: ReferenceMembers
}

const NO_REFERENCES: AssembledReferences = {
  members: { references: [], supersedes: [], superseded_by: null, alternatives: [] },
  errors: [],
  traces: [],
}

/** Reads the references of a product while its other sections are read. A merchant without references has no such section. */
export function readReferences(
  sku: string,
  parts: ReferencesParts,
): Promise<AssembledReferences> | AssembledReferences {
  const loading = parts.backOffice.references(sku, parts.customerId, parts.requestScope)
  return loading ? assembleReferences(loading, parts) : NO_REFERENCES
}

async function assembleReferences(
  loading: Promise<LoadResult<SkuReferences>>,
  parts: ReferencesParts,
): Promise<AssembledReferences> {
  const { values, errors, traces } = await fanOut(parts.requestScope, {
    references: optional(loading.then(valueSection)),
  })
  const found = values.references
  const members = toReferenceMembers(found)
  // Most products have no alternatives: their pages do not pay for the section.
  if (found && found.related.length === 0) return { members: { ...members, alternatives: [] }, errors, traces }
  const other = await fanOut(parts.requestScope, {
    alternatives: optional(loading.then((references) => loadAlternatives(references, parts))),
  })
  return {
    members: { ...members, alternatives: other.values.alternatives },
    errors: [...errors, ...other.errors],
    traces: [...traces, ...other.traces],
  }
}

export const toReferenceMembers = (found: SkuReferences | null) => ({
  references: found?.references.map(({ kind, brand, number }) => ({ kind, brand, number })) ?? null,
  supersedes: found?.supersedes ?? null,
  superseded_by: found?.superseded_by ?? null,
})

const NONE: Section<Alternative[]> = { value: [], error: null, stale: false, partial: false, asOf: 0 }

/** The section of the products that may be sold instead. It fails alone. A product without a price or a band is listed without it. */
async function loadAlternatives(
  references: LoadResult<SkuReferences>,
  parts: ReferencesParts,
): Promise<Section<Alternative[] | null>> {
  if (references.value === null) return { ...valueSection(references), value: null }
  const { related } = references.value
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
        availability: band && summarizeAvailability(band),
      },
    ]
  })
  return summarize(value, [products, prices, bands])
}

/** The first failure is reported for the section. `not_configured` is not: the page's own sections report it. */
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
