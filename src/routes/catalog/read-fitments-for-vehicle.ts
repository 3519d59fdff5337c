import type { Fitment } from '../../ports/sku-fitments.ts'
import type { Vehicle } from '../../ports/vehicle.ts'
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

/** The vehicle of a list, and the fitments of its items. */
export interface ListFitments {
  /** The list's member; nothing for a list that is not for a vehicle. `null`: there is no such vehicle, or it cannot be read. */
  vehicle: { vehicle?: Vehicle | null }
  /** Returns the item's member; nothing for a list that is not for a vehicle. */
  memberOf(sku: string): { fitment?: ItemFitment | null }
  errors: SectionError[]
  traces: SectionTrace[]
}

const VEHICLE_PAGE = 200
/** The number of a vehicle's products that are read for their fitment, if no mirror has it. The fitment of further products is not known. */
const MAX_PARTS = 1_000

/** Reads how the items of a list fit its vehicle, in a section that may fail alone. */
export async function readFitmentsForVehicle({
  vehicleId,
  ...scope
}: FitmentScope & { vehicleId: number | undefined }): Promise<ListFitments> {
  const none = { memberOf: () => ({}), errors: [], traces: [] }
  if (vehicleId === undefined) return { ...none, vehicle: {} }
  if (!isValidVehicleId(vehicleId)) return { ...none, vehicle: { vehicle: null } }
  const { skus, requestScope } = scope
  const { values, errors, traces } = await fanOut(requestScope, {
    fitment: optional(findFitmentsForVehicle(vehicleId, scope).then(valueSection)),
  })
  const fitments = new Map(skus.map((sku, at) => [sku, values.fitment?.fitments[at] ?? null]))
  const vehicle = values.fitment?.vehicle ?? null
  return { vehicle: { vehicle }, memberOf: (sku) => ({ fitment: fitments.get(sku) ?? null }), errors, traces }
}

/** Returns a vehicle, and how products fit it as far as that is known. The value is `null` if the vehicle does not exist. */
export async function findFitmentsForVehicle(
  vehicleId: number,
  { skus, backOffice, requestScope }: FitmentScope,
): Promise<LoadResult<VehicleFitments>> {
  const { mirror } = backOffice
  const known = mirror.state === 'ready' ? mirror.fitments(vehicleId, skus, requestScope) : null
  return known ?? searchVehicle(vehicleId, { skus, backOffice, requestScope })
}

/**
 * Reads the first page of a vehicle's own list and, if it lacks some of these products, the further pages: all at once if their number is
 * known, otherwise one after another. Pages that are not needed may fail.
 */
async function searchVehicle(
  vehicleId: number,
  { skus, backOffice, requestScope }: FitmentScope,
): Promise<LoadResult<VehicleFitments>> {
  const readPage = (offset: number) => backOffice.vehicleItems(vehicleId, { limit: VEHICLE_PAGE, offset }, requestScope)
  const first = await readPage(0)
  const { value } = first
  if (!value) return { ...first, value }
  const pages = [first]
  const fitmentBySku = new Map<string, ItemFitment>()
  /** Returns whether no further page is needed. */
  function addPage(page: VehicleResult): boolean {
    for (const [at, sku] of page.value?.skus.entries() ?? []) fitmentBySku.set(sku, page.value!.fitments[at]!)
    if (page !== first) pages.push(page)
    return skus.every((sku) => fitmentBySku.has(sku))
  }
  if (!addPage(first) && value.has_more) {
    if (value.total === null) await addPagesInTurn(readPage, addPage)
    else await addPagesAtOnce(toOffsets(value.total).map(readPage), addPage)
  }
  const failed = pages.find((page) => page.value === null)
  if (failed && !skus.every((sku) => fitmentBySku.has(sku))) return { ...failed, value: null }
  const fitments = skus.map((sku) => fitmentBySku.get(sku) ?? null)
  const stale = pages.filter((page) => page.error && page.value)
  const [oldest = first] = stale.sort((one, other) => one.asOf - other.asOf)
  return { ...oldest, value: { vehicle: value.vehicle, fitments } }
}

type VehicleResult = Awaited<ReturnType<BackOffice['vehicleItems']>>
type AddPage = (page: VehicleResult) => boolean

/** Returns the offsets of the pages after the first. */
const toOffsets = (total: number) =>
  Array.from({ length: Math.ceil(Math.min(total, MAX_PARTS) / VEHICLE_PAGE) }, (_, at) => at * VEHICLE_PAGE).slice(1)

async function addPagesInTurn(readPage: (offset: number) => Promise<VehicleResult>, addPage: AddPage): Promise<void> {
  for (let offset = VEHICLE_PAGE; offset < MAX_PARTS; offset += VEHICLE_PAGE) {
    const page = await readPage(offset)
    if (addPage(page) || !page.value?.has_more) return
  }
}

/** Does not wait for a late page that is not needed. */
const addPagesAtOnce = (reads: readonly Promise<VehicleResult>[], addPage: AddPage): Promise<unknown> =>
  new Promise<void>((resolve, reject) => {
    const added = reads.map((read) => read.then((page) => addPage(page) && resolve()))
    Promise.all(added).then(() => resolve(), reject)
  })
