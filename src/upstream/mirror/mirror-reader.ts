import type { ChangedProduct, ChangedProductPage } from '../../catalog/mirror/file/mirror-row.ts'
import type { ChangedProductJson, ChangedProductQuery } from '../../catalog/mirror/read/changed-product-reader.ts'
import type { ProductJson } from '../../catalog/mirror/read/product-json.ts'
import type { SearchRequest } from '../../catalog/search/search-request.ts'
import type { ClosestResult, FacetCounts } from '../../catalog/search/search-result.ts'
import type { Suggestions, SuggestRequest } from '../../catalog/search/suggest/suggestion-types.ts'
import type { SkuReferences } from '../../ports/reference.ts'
import type { Fitment } from '../../ports/sku-fitments.ts'
import type { Vehicle } from '../../ports/vehicle.ts'
import type { LoadResult } from '../read-stack/cached-loader.ts'
import type { SkuPage } from '../readers/sku-page.ts'
import type { RequestScope } from '../request/request-scope.ts'

/** A page of a search of the mirror. `total` is `null` only if an inventory that does not count was asked instead. */
export interface MirrorPage extends SkuPage {
  facets: FacetCounts
  corrected: string | null
  closest: ClosestResult | null
}

/** Changed products in the order of their changes, and how current the catalog is. */
export interface ChangedCatalogPage<Product = ChangedProduct> extends ChangedProductPage<Product> {
  /** Milliseconds since the epoch: the changes of the inventory up to then are in the mirror. */
  asOf: number
}

/** How products fit a vehicle. */
export interface VehicleFitments {
  vehicle: Vehicle
  /** In the order of the SKUs; `null`: not known. */
  fitments: ((Fitment & { universal: boolean }) | null)[]
}

/** A page of products as texts. */
export interface MirrorTextPage extends Omit<MirrorPage, 'skus'> {
  products: ProductJson[]
}

/** A product as texts, with its numbers. */
export interface ProductTextsAndReferences {
  product: ProductJson
  references: SkuReferences
}

/** Reads that need a mirror. Call its methods only while its state is `ready`. */
export interface MirrorReader {
  /** `off`: the merchant has no mirror. `filling`: this process has no current file yet: the first fill, a lost file, or the first moment after start. */
  readonly state: 'ready' | 'filling' | 'off'
  /**
   * Returns whether the file has the vehicles or categories by which a list is filtered, which may be filled later than the products. Also
   * true for vehicles that are never filled: then the search says that they are not offered.
   */
  hasPartsOf(filters: { vehicle_id?: number; category?: readonly string[] }): boolean
  /** Returns whether the file has everything that a text is searched in, except for vehicles that are never filled. */
  hasTextParts(): boolean
  /** `usesInventory`: asks the inventory if the file cannot be read, which is the default. It finds less than the mirror. */
  search(
    request: SearchRequest,
    scope: RequestScope,
    options?: { usesInventory?: boolean },
  ): Promise<LoadResult<MirrorPage>>
  /** Searches products as texts for an anonymous caller; `null`: their sections must be read one by one. */
  searchTexts(request: SearchRequest, scope: RequestScope): Promise<MirrorTextPage | null>
  /** Returns an active product as texts for an anonymous caller; `null`: its sections must be read one by one. */
  text(sku: string, scope: RequestScope): ProductTextsAndReferences | null
  suggest(request: SuggestRequest, scope: RequestScope): Promise<LoadResult<Suggestions>>
  /** `after`: an exclusive sequence number, which is the time of a change in microseconds since the epoch. */
  changes(query: ChangedProductQuery, scope: RequestScope): LoadResult<ChangedCatalogPage>
  /** Lists changes as JSON for an anonymous caller; `null`: they must be read by their sections. */
  changeTexts(query: ChangedProductQuery, scope: RequestScope): ChangedCatalogPage<ChangedProductJson> | null
  /** Counts the products that changed after a sequence number. While the catalog changes, some may be missing, or counted twice. `null`: the file cannot be read. */
  countChanges(after: number): Promise<number | null>
  /** Returns the SKU of the active product that has a slug. */
  findSlug(slug: string, scope: RequestScope): LoadResult<string>
  /** `null`: the mirror does not have this vehicle, and the products that fit it must be read from the system. */
  fitments(vehicleId: number, skus: readonly string[], scope: RequestScope): LoadResult<VehicleFitments> | null
}

const isOff = () => {
  throw new Error('there is no mirror')
}

/** The reader of a merchant without a mirror. */
export const noMirror: MirrorReader = {
  state: 'off',
  hasPartsOf: () => false,
  hasTextParts: () => false,
  search: isOff,
  searchTexts: async () => null,
  text: () => null,
  suggest: isOff,
  changes: isOff,
  changeTexts: () => null,
  countChanges: isOff,
  findSlug: isOff,
  fitments: isOff,
}
