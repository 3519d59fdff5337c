import type { LoadResult } from '../read-stack/cached-loader.ts'
import type { CatalogReader } from './catalog-reader.ts'
import type { FitmentReader } from './separate-fitment-reader.ts'
import type { SkuPage } from './sku-page.ts'

const NO_ITEMS: SkuPage = { skus: [], newest: 0, total: 0, has_more: false }

/** The catalog of a tenant whose fitment comes from another source than the inventory. */
export function withFitmentSource(catalog: CatalogReader, fitment: FitmentReader): CatalogReader {
  return {
    ...catalog,
    search: (query, scope, onSkus) =>
      query.vehicle_id === undefined
        ? catalog.search(query, scope, onSkus)
        : fitment.vehicleItems({ ...query, vehicle_id: query.vehicle_id }, scope).then(emptyIfAbsent),
    vehicleFacet: fitment.vehicleFacet,
    vehicleItems: (id, page, scope) => fitment.vehicleItems({ vehicle_id: id, ...page }, scope),
    fitments: fitment.fitments,
  }
}

/** The page of a vehicle that does not exist: no product fits it. */
const emptyIfAbsent = (page: LoadResult<SkuPage>): LoadResult<SkuPage> =>
  page.value === null && page.error === null ? { ...page, value: NO_ITEMS } : page
