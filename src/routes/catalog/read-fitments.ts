import type { Fitment } from '../../ports/vehicle.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { optional, valueSection } from '../../sections/section.ts'
import type { SectionError } from '../../sections/section-errors.ts'
import type { SectionTrace } from '../../sections/section-trace.ts'
import type { BackOffice } from '../../upstream/back-office.ts'
import type { VehicleFitments } from '../../upstream/mirror/mirror-reader.ts'
import type { LoadResult } from '../../upstream/read-stack/cached-loader.ts'
import type { RequestScope } from '../../upstream/request/request-scope.ts'
import { isValidVehicleId } from '../valid-upstream-ids.ts'

interface FitmentScope {
  skus: readonly string[]
  backOffice: BackOffice
  requestScope: RequestScope
}

type ItemFitment = Fitment & { universal: boolean }

/** The fitments of a list's items. */
export interface ListFitments {
  /** Returns the item's member; nothing for a list that is not for a vehicle. */
  memberOf(sku: string): { fitment?: ItemFitment | null }
  errors: SectionError[]
  traces: SectionTrace[]
}

const VEHICLE_PAGE = 200
/** The number of a vehicle's products that are read for their fitment, if no mirror has it. The fitment of further products is not known. */
const MAX_PARTS = 1_000

/** Reads how the items of a list fit its vehicle, in a section that may fail alone. */
export async function readFitments({
  vehicleId,
  ...scope
}: FitmentScope & { vehicleId: number | undefined }): Promise<ListFitments> {
  if (vehicleId === undefined || !isValidVehicleId(vehicleId)) return { memberOf: () => ({}), errors: [], traces: [] }
  const { skus, requestScope } = scope
  const { values, errors, traces } = await fanOut(requestScope, {
    fitment: optional(findFitments(vehicleId, scope).then(valueSection)),
  })
  const fitments = new Map(skus.map((sku, at) => [sku, values.fitment?.fitments[at] ?? null]))
  return { memberOf: (sku) => ({ fitment: fitments.get(sku) ?? null }), errors, traces }
}

/** Returns a vehicle, and how products fit it as far as that is known. The value is `null` if the vehicle does not exist. */
export async function findFitments(
  vehicleId: number,
  { skus, backOffice, requestScope }: FitmentScope,
): Promise<LoadResult<VehicleFitments>> {
  const { mirror } = backOffice
  const known = mirror.state === 'ready' ? mirror.fitments(vehicleId, skus, requestScope) : null
  return known ?? searchVehicle(vehicleId, { skus, backOffice, requestScope })
}

/** Reads the pages of a vehicle's own list until it has these products. */
async function searchVehicle(
  vehicleId: number,
  { skus, backOffice, requestScope }: FitmentScope,
): Promise<LoadResult<VehicleFitments>> {
  const known = new Map<string, ItemFitment>()
  for (let offset = 0; ; offset += VEHICLE_PAGE) {
    const range = { limit: VEHICLE_PAGE, offset }
    const { value: page, ...result } = await backOffice.vehicleItems(vehicleId, range, requestScope)
    if (!page) return { ...result, value: null }
    for (const [at, sku] of page.skus.entries()) known.set(sku, page.fitments[at]!)
    if (page.has_more && offset < MAX_PARTS - VEHICLE_PAGE && skus.some((sku) => !known.has(sku))) continue
    return { ...result, value: { vehicle: page.vehicle, fitments: skus.map((sku) => known.get(sku) ?? null) } }
  }
}
