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

/** Reads the first page of a vehicle's own list and, if it lacks some of these products, all further pages at once. */
async function searchVehicle(
  vehicleId: number,
  { skus, backOffice, requestScope }: FitmentScope,
): Promise<LoadResult<VehicleFitments>> {
  const readPage = (offset: number) => backOffice.vehicleItems(vehicleId, { limit: VEHICLE_PAGE, offset }, requestScope)
  const first = await readPage(0)
  const onFirst = new Set(first.value?.skus)
  const isEnough = !first.value?.has_more || skus.every((sku) => onFirst.has(sku))
  const end = isEnough ? 0 : Math.min(first.value?.total ?? MAX_PARTS, MAX_PARTS)
  const further = Array.from({ length: Math.ceil(end / VEHICLE_PAGE) }, (_, at) => at * VEHICLE_PAGE).slice(1)
  const pages = [first, ...(await Promise.all(further.map(readPage)))]
  const absent = pages.find(({ value }) => value === null)
  if (absent) return { ...absent, value: null }
  const rows = pages.flatMap(({ value }) => value!.skus.map((sku, at) => [sku, value!.fitments[at]!] as const))
  const fitmentBySku = new Map<string, ItemFitment>(rows)
  const fitments = skus.map((sku) => fitmentBySku.get(sku) ?? null)
  const [oldest = first] = pages.filter(({ error }) => error).sort((one, other) => one.asOf - other.asOf)
  return { ...oldest, value: { vehicle: first.value!.vehicle, fitments } }
}
