import type { Selectable } from 'kysely'
import { MAX_PARTS_PER_VEHICLE, type VehiclePart, type VehicleWithParts } from '../../ports/fitment.ts'
import type { Fitment, SkuFitments } from '../../ports/sku-fitments.ts'
import type { PageRange, Vehicle } from '../../ports/vehicle.ts'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import { replaceNul } from '../replace-nul.ts'
import type { Tables } from '../tables.ts'
import { fitmentImports } from './fitment-imports.ts'

/** Universal parts are stored under this id. */
export const UNIVERSAL_VEHICLE_ID = 0

/** Names match case-insensitively. */
export interface VehicleFilter {
  market?: string
  year?: number
  make?: string
}

/** Returns the vehicles of the current import. With a market, vehicles without a market match too. */
export async function listImportedVehicles(db: Database, tenant: Tenant, filter: VehicleFilter): Promise<Vehicle[]> {
  const { market, year, make } = filter
  let query = selectCurrentVehicles(db, tenant, market)
  if (year !== undefined) query = query.where('year', '=', year)
  if (make !== undefined) query = query.where('make_key', '=', nameKey(make))
  return (await query.selectAll('fitment_vehicles').execute()).map(toVehicle)
}

/** Counts the vehicles of each year, the latest first. */
export async function countImportedVehiclesByYear(db: Database, tenant: Tenant, market: string | undefined) {
  return selectCurrentVehicles(db, tenant, market)
    .select((eb) => ['year', eb.fn.countAll<number>().as('count')])
    .groupBy('year')
    .orderBy('year', 'desc')
    .execute()
}

/** Finds a vehicle by any id that it ever had, with the parts that fit it: its own first, then universal ones. */
export async function findImportedVehicle(
  db: Database,
  tenant: Tenant,
  vehicleId: number,
): Promise<VehicleWithParts | null> {
  const row = (await findVehicleById(db, tenant, vehicleId)) ?? (await findVehicleByFormerId(db, tenant, vehicleId))
  if (!row) return null
  const rows = await db
    .selectFrom('fitments')
    .select(['vehicle_id', 'sku', 'fitment'])
    .where('import_id', '=', row.import_id)
    .where('vehicle_id', 'in', [row.vehicle_id, UNIVERSAL_VEHICLE_ID])
    .orderBy('vehicle_id', 'desc')
    .orderBy('sku')
    .limit(MAX_PARTS_PER_VEHICLE + 1)
    .execute()
  return {
    vehicle: toVehicle(row),
    parts: toParts(rows.slice(0, MAX_PARTS_PER_VEHICLE)),
    isComplete: rows.length <= MAX_PARTS_PER_VEHICLE,
  }
}

/** Returns the vehicles that a SKU fits; `null`: it fits none and is not universal. */
export async function findImportedFitments(
  db: Database,
  tenant: Tenant,
  sku: string,
  { limit, offset }: PageRange,
): Promise<SkuFitments | null> {
  const current = await fitmentImports.findCurrent(db, tenant)
  if (!current) return null
  const fitmentsOfSku = () =>
    db.selectFrom('fitments').where('fitments.import_id', '=', current.import_id).where('sku', '=', replaceNul(sku))
  const counts = await fitmentsOfSku()
    .select((eb) => [
      eb.fn.countAll<number>().as('total'),
      eb.fn.count<number>(eb.case().when('vehicle_id', '=', UNIVERSAL_VEHICLE_ID).then(1).end()).as('universal'),
    ])
    .executeTakeFirstOrThrow()
  if (counts.total === 0) return null
  const rows = await fitmentsOfSku()
    .innerJoin('fitment_vehicles', (join) =>
      join
        .onRef('fitment_vehicles.import_id', '=', 'fitments.import_id')
        .onRef('fitment_vehicles.vehicle_id', '=', 'fitments.vehicle_id'),
    )
    .selectAll('fitment_vehicles')
    .select('fitment')
    .orderBy('make_key')
    .orderBy('model')
    .orderBy('year', 'desc')
    .orderBy('fitment_vehicles.vehicle_id')
    .limit(limit)
    .offset(offset)
    .execute()
  const total = counts.total - counts.universal
  const fitments = rows.map((row) => ({ ...toVehicle(row), ...(JSON.parse(row.fitment) as Fitment) }))
  return { universal: counts.universal > 0, fitments, total, has_more: offset + rows.length < total }
}

function selectCurrentVehicles(db: Database, { merchant, mode }: Tenant, market?: string) {
  const query = db
    .selectFrom('fitment_vehicles')
    .innerJoin('fitment_imports', 'fitment_imports.import_id', 'fitment_vehicles.import_id')
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('state', '=', 'CURRENT')
  return market === undefined ? query : query.where('market_key', 'in', [nameKey(market), ''])
}

const nameKey = (name: string) => replaceNul(name.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase())

const findVehicleById = (db: Database, tenant: Tenant, vehicleId: number) =>
  selectCurrentVehicles(db, tenant).selectAll('fitment_vehicles').where('vehicle_id', '=', vehicleId).executeTakeFirst()

/** A storefront may have stored an id from before the file assigned another one to the vehicle. */
async function findVehicleByFormerId(db: Database, tenant: Tenant, vehicleId: number) {
  const former = await db
    .selectFrom('fitment_vehicle_ids')
    .select('vehicle_key')
    .where('tenant_id', '=', tenant.merchant)
    .where('mode', '=', tenant.mode)
    .where('vehicle_id', '=', vehicleId)
    .executeTakeFirst()
  if (!former) return undefined
  return selectCurrentVehicles(db, tenant)
    .selectAll('fitment_vehicles')
    .where('vehicle_key', '=', former.vehicle_key)
    .executeTakeFirst()
}

/** Merges the rows of a SKU: the fitment for this vehicle, and whether the part is universal. */
function toParts(rows: readonly { vehicle_id: number; sku: string; fitment: string }[]): VehiclePart[] {
  const parts = new Map<string, VehiclePart>()
  for (const { vehicle_id, sku, fitment } of rows) {
    const universal = vehicle_id === UNIVERSAL_VEHICLE_ID
    const part = parts.get(sku)
    if (part) part.fitment.universal ||= universal
    else parts.set(sku, { sku, fitment: { ...(JSON.parse(fitment) as Fitment), universal } })
  }
  return [...parts.values()]
}

function toVehicle(row: Selectable<Tables['fitment_vehicles']>): Vehicle {
  const { vehicle_id, year, make, model, submodel, engine, market } = row
  return { vehicle_id, year, make, model, submodel, engine, market }
}
