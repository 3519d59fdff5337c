import type { CatalogPartName } from '../../catalog/mirror/file/catalog-part-names.ts'
import type { MirrorProduct } from '../../catalog/mirror/file/mirror-row.ts'
import type { ChangedProductReader } from '../../catalog/mirror/read/changed-product-reader.ts'
import type { ProductJsonReader } from '../../catalog/mirror/read/product-json.ts'
import type { NumberMirror } from '../../catalog/mirror/read/product-number-reader.ts'
import type { TaxonomyReader } from '../../catalog/mirror/read/taxonomy-reader.ts'
import type { VehicleMirror } from '../../catalog/mirror/vehicles/vehicle-and-fitment-reader.ts'
import type { SuggestionResult } from '../../catalog/search/search-engine.ts'
import type { SearchRequest } from '../../catalog/search/search-request.ts'
import type { SearchResult } from '../../catalog/search/search-result.ts'
import type { SuggestRequest } from '../../catalog/search/suggest/suggestion-types.ts'
import type { UpstreamFailure } from '../../errors.ts'

/** How current a part of a mirror is. */
export interface MirrorPartState {
  /** False until all of the part has been read once: until then reads ask the system. */
  isFilled: boolean
  /** Milliseconds since the epoch: the part was equal to the system's then; 0: never. */
  asOf: number
  /** Why the system could not be read since; `null`: the last read succeeded. */
  failure: UpstreamFailure | null
}

/**
 * A tenant's catalog in a file of this machine. Reads by key are synchronous and take microseconds; searches run in a thread. It knows
 * nothing of deadlines, faults and staleness: {@link MirrorReader} adds them.
 */
export interface CatalogMirror
  extends VehicleMirror,
    NumberMirror,
    ProductJsonReader,
    ChangedProductReader,
    TaxonomyReader {
  partState(name: CatalogPartName): MirrorPartState
  /** Returns the products in the order of `skus`; `null`: there is no such product. Includes withdrawn products. */
  products(skus: readonly string[]): (MirrorProduct | null)[]
  /** Returns the SKU of the active product that has a slug. */
  findSlug(slug: string): string | null
  /** Rejects with SearchQueueFullError when too many searches wait, or when `signal` aborts. */
  search(request: SearchRequest, signal?: AbortSignal): Promise<SearchResult>
  /** Returns the SKUs of ids, in their order. */
  skusOf(ids: readonly number[]): string[]
  suggest(request: SuggestRequest, signal?: AbortSignal): Promise<SuggestionResult>
}
