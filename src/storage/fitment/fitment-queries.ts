import type { Selectable } from 'kysely'
import { type FittingPart, MAX_PARTS_PER_VEHICLE, type VehicleWithParts } from '../../ports/fitment.ts'
import type { Fitment, PageRange, SkuFitments, Vehicle } from '../../ports/inventory.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'
import { type FitmentOwner, findCurrentFitmentImport } from './fitment-imports.ts'

/** The universal parts stand under it, as if it were a vehicle that is every vehicle. */
export const UNIVERSAL_VEHICLE_ID = 0

/** Names are found whatever their case. */
export interface VehicleFilter {
  market?: string
  year?: number
  make?: string
}

/** The vehicles of the import in force; where a market is named, those of any market too. */
export async function listImportedVehicles(
  db: Database,
  owner: FitmentOwner,
  filter: VehicleFilter,
): Promise<Vehicle[]> {
  const { market, year, make } = filter
  let query = inForce(db, owner, market)
  if (year !== undefined) query = query.where('year', '=', year)
  if (make !== undefined) query = query.where('make_key', '=', keyOf(make))
  return (await query.selectAll('fitment_vehicles').execute()).map(vehicleOf)
}

/** How many vehicles there are of each year. */
export async function countImportedVehiclesByYear(db: Database, owner: FitmentOwner, market: string | undefined) {
  return inForce(db, owner, market)
    .select((of) => ['year', of.fn.countAll<number>().as('count')])
    .groupBy('year')
    .orderBy('year', 'desc')
    .execute()
}

/** A vehicle under any id that it was ever given, with what fits it: its own parts first. */
export async function findImportedVehicle(
  db: Database,
  owner: FitmentOwner,
  vehicleId: number,
): Promise<VehicleWithParts | null> {
  const row = (await vehicleWith(db, owner, vehicleId)) ?? (await vehicleOnceCalled(db, owner, vehicleId))
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
    vehicle: vehicleOf(row),
    parts: partsOf(rows.slice(0, MAX_PARTS_PER_VEHICLE)),
    isComplete: rows.length <= MAX_PARTS_PER_VEHICLE,
  }
}

/** `null`: it fits nothing, and is not universal. */
export async function findImportedFitments(
  db: Database,
  owner: FitmentOwner,
  sku: string,
  { limit, offset }: PageRange,
): Promise<SkuFitments | null> {
  const current = await findCurrentFitmentImport(db, owner)
  if (!current) return null
  const ofSku = () =>
    db.selectFrom('fitments').where('fitments.import_id', '=', current.import_id).where('sku', '=', storable(sku))
  const counts = await ofSku()
    .select((of) => [
      of.fn.countAll<number>().as('all'),
      of.fn.count<number>(of.case().when('vehicle_id', '=', UNIVERSAL_VEHICLE_ID).then(1).end()).as('universal'),
    ])
    .executeTakeFirstOrThrow()
  if (counts.all === 0) return null
  const rows = await ofSku()
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
  const total = counts.all - counts.universal
  const fitments = rows.map((row) => ({ ...vehicleOf(row), ...(JSON.parse(row.fitment) as Fitment) }))
  return { universal: counts.universal > 0, fitments, total, has_more: offset + rows.length < total }
}

function inForce(db: Database, { tenant_id, mode }: FitmentOwner, market?: string) {
  const query = db
    .selectFrom('fitment_vehicles')
    .innerJoin('fitment_imports', 'fitment_imports.import_id', 'fitment_vehicles.import_id')
    .where('tenant_id', '=', tenant_id)
    .where('mode', '=', mode)
    .where('state', '=', 'CURRENT')
  return market === undefined ? query : query.where('market_key', 'in', [keyOf(market), ''])
}

/** PostgreSQL has no NUL, and no import has what stands for it here. */
const storable = (text: string) => text.replaceAll('\0', '\ufffd')

const keyOf = (name: string) => storable(name.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase())

const vehicleWith = (db: Database, owner: FitmentOwner, vehicleId: number) =>
  inForce(db, owner).selectAll('fitment_vehicles').where('vehicle_id', '=', vehicleId).executeTakeFirst()

/** A storefront may have kept an id from before the file gave the vehicle one of its own. */
async function vehicleOnceCalled(db: Database, owner: FitmentOwner, vehicleId: number) {
  const known = await db
    .selectFrom('fitment_vehicle_ids')
    .select('vehicle_key')
    .where('tenant_id', '=', owner.tenant_id)
    .where('mode', '=', owner.mode)
    .where('vehicle_id', '=', vehicleId)
    .executeTakeFirst()
  if (!known) return undefined
  return inForce(db, owner)
    .selectAll('fitment_vehicles')
    .where('vehicle_key', '=', known.vehicle_key)
    .executeTakeFirst()
}

/** Each SKU once: what is said of it for this vehicle, and whether it fits all. */
function partsOf(rows: readonly { vehicle_id: number; sku: string; fitment: string }[]): FittingPart[] {
  const parts = new Map<string, FittingPart>()
  for (const { vehicle_id, sku, fitment } of rows) {
    const universal = vehicle_id === UNIVERSAL_VEHICLE_ID
    const known = parts.get(sku)
    if (known) known.fitment.universal ||= universal
    else parts.set(sku, { sku, fitment: { ...(JSON.parse(fitment) as Fitment), universal } })
  }
  return [...parts.values()]
}

function vehicleOf(row: Selectable<Tables['fitment_vehicles']>): Vehicle {
  const { vehicle_id, year, make, model, submodel, engine, market } = row
  return { vehicle_id, year, make, model, submodel, engine, market }
}
