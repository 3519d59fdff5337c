import type { StockAvailability } from '../../catalog/availability-bands.ts'
import type { LoadResult } from '../read-stack/cached-loader.ts'

/** Removes an expected day that has passed while the value was cached. */
export function withoutPastEta(result: LoadResult<StockAvailability>, day: string): LoadResult<StockAvailability> {
  const eta = result.value?.eta
  return eta && eta < day ? { ...result, value: { ...result.value!, band: 'OUT', eta: null } } : result
}
