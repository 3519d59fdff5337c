import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import {
  NO_DETAILS,
  type ProductFitment,
  toProductFitment,
  vehiclesOfRuns,
} from '../../catalog/mirror/vehicles/product-fitment.ts'
import { UpstreamError, type UpstreamFailure } from '../../errors.ts'
import { combineAlternativeFitments } from '../../fitment/combine-alternative-fitments.ts'
import type { Fitment } from '../../ports/sku-fitments.ts'
import type { Vehicle } from '../../ports/vehicle.ts'
import { listCatalogPartSkus } from '../../storage/catalog/catalog-part-skus.ts'
import { listCatalogParts } from '../../storage/catalog/catalog-part-states.ts'
import { putCatalogParts } from '../../storage/catalog/catalog-products.ts'
import { listCatalogVehicleIds, putCatalogVehicles } from '../../storage/catalog/catalog-vehicles.ts'
import { type DueFitment, listDueFitments, markFitmentsRead } from '../../storage/catalog/due-fitment-reads.ts'
import { transactInBackground } from '../../storage/transact-in-background.ts'
import type { ChangeJobContext } from '../feed/change-job.ts'

/** Products in one run: new and changed ones, then those that were read before. */
const MAX_UNREAD = 200
const MAX_READ_AGAIN = 10
const CHUNK = 10
/** Vehicles in one call, and the most of one product. */
const PAGE = 200
const MAX_VEHICLES = 20_000
const PAGE_SKUS = 500
const ABOUT_ONE_PRODUCT = new Set<UpstreamFailure>(['invalid', 'rejected'])

/**
 * Reads the fitment of new and changed products, then of the longest unread ones: systems do not report changes of fitment. Returns whether
 * the fitment of all products has been read.
 */
export async function readSystemFitments(context: ChangeJobContext): Promise<boolean> {
  const { db, tenant } = context
  const unread = await listDueFitments(db, tenant, true, MAX_UNREAD)
  const readAgain = await listDueFitments(db, tenant, false, MAX_READ_AGAIN)
  const due = [...unread, ...readAgain]
  const failed: FailedRead[] = []
  for (let from = 0; from < due.length; from += CHUNK) {
    if (!context.canContinue()) return false
    failed.push(...(await copyProducts(context, due.slice(from, from + CHUNK))))
  }
  if (failed.length > 0) await passOver(context, failed, due.length)
  if ((await listDueFitments(db, tenant, true, 1)).length > 0) return false
  const parts = await listCatalogParts(db, tenant)
  return parts.some(({ name, filledAt }) => name === 'products' && filledAt !== null)
}

interface FailedRead {
  product: DueFitment
  error: UpstreamError
}

/** A product that the system cannot return must not keep others waiting, so it keeps the fitment that it has. */
async function passOver(
  { db, tenant, now }: ChangeJobContext,
  failed: readonly FailedRead[],
  due: number,
): Promise<void> {
  if (failed.length === due) throw failed[0]!.error
  const products = failed.map(({ product }) => product)
  await transactInBackground(db, tenant, (transaction) =>
    markFitmentsRead(transaction, tenant, products, new Date(now()).toISOString()),
  )
}

/** Reads and writes the fitment of products. Returns those whose response is invalid. */
async function copyProducts(context: ChangeJobContext, due: readonly DueFitment[]): Promise<FailedRead[]> {
  const { db, tenant, now } = context
  const [read, failed]: [DueFitment[], FailedRead[]] = [[], []]
  const vehicles = new Map<number, Vehicle>()
  const parts: { sku: string; fitment: string }[] = []
  for (const product of due) {
    try {
      const { universal, fitments } = await readAllPages(context, product.sku)
      for (const fitment of fitments) vehicles.set(fitment.vehicle_id, toVehicle(fitment))
      parts.push({ sku: product.sku, fitment: JSON.stringify(toOneFitmentEach(universal, fitments)) })
      read.push(product)
    } catch (error) {
      if (!(error instanceof UpstreamError) || !ABOUT_ONE_PRODUCT.has(error.failure)) throw error
      failed.push({ product, error })
    }
  }
  const at = new Date(now()).toISOString()
  await transactInBackground(db, tenant, async (transaction) => {
    await markFitmentsRead(transaction, tenant, read, at)
    const documents = [...vehicles.values()].map((vehicle) => ({
      vehicle_id: vehicle.vehicle_id,
      vehicle: JSON.stringify(vehicle),
    }))
    await putCatalogVehicles(transaction, tenant, documents, at)
    await putCatalogParts(transaction, tenant, parts, at)
  })
  return failed
}

/** A SKU that the system does not know fits no vehicle. */
async function readAllPages({ backOffice, requestScope }: ChangeJobContext, sku: string) {
  const fitments: (Vehicle & Fitment)[] = []
  for (;;) {
    const page = await backOffice.changes.fitments(sku, { limit: PAGE, offset: fitments.length }, requestScope())
    fitments.push(...(page?.fitments ?? []))
    const isLast = !page?.has_more || page.fitments.length === 0 || fitments.length >= MAX_VEHICLES
    if (isLast) return { universal: page?.universal ?? false, fitments }
  }
}

function toOneFitmentEach(universal: boolean, fitments: readonly (Vehicle & Fitment)[]): ProductFitment {
  const byVehicle = Map.groupBy(fitments, ({ vehicle_id }) => vehicle_id)
  const vehicles = [...byVehicle.values()].map((some) => ({ ...some[0]!, fitment: combineAlternativeFitments(some) }))
  return toProductFitment(universal ? NO_DETAILS : null, vehicles)
}

const toVehicle = ({ vehicle_id, year, make, model, submodel, engine, market }: Vehicle): Vehicle => ({
  vehicle_id,
  year,
  make,
  model,
  submodel,
  engine,
  market,
})

/** Removes the vehicles that no product fits any longer. */
export async function removeUnusedVehicles(context: ChangeJobContext): Promise<void> {
  const { db, tenant, now } = context
  const used = await collectUsedVehicles(context)
  for (let after = 0; used && context.canContinue(); ) {
    const ids = await listCatalogVehicleIds(db, tenant, after, PAGE_SKUS)
    const gone = ids.filter((id) => !used.has(id)).map((vehicle_id) => ({ vehicle_id, vehicle: null }))
    await transactInBackground(db, tenant, (transaction) =>
      putCatalogVehicles(transaction, tenant, gone, new Date(now()).toISOString()),
    )
    if (ids.length < PAGE_SKUS) return
    after = ids.at(-1)!
    await yieldToEventLoop()
  }
}

/** Returns `null` when this process must not continue. */
async function collectUsedVehicles({ db, tenant, canContinue }: ChangeJobContext): Promise<Set<number> | null> {
  const used = new Set<number>()
  for (let after = ''; canContinue(); ) {
    const rows = await listCatalogPartSkus(db, tenant, 'fitment', after, PAGE_SKUS)
    for (const { document } of rows)
      for (const id of vehiclesOfRuns((JSON.parse(document) as ProductFitment).runs)) used.add(id)
    if (rows.length < PAGE_SKUS) return used
    after = rows.at(-1)!.sku
    await yieldToEventLoop()
  }
  return null
}
