import type { DatabaseSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import type { Fitment, SkuFitments } from '../../../ports/sku-fitments.ts'
import type { PageRange, Vehicle, VehicleFacetQuery, VehicleFacetValue } from '../../../ports/vehicle.ts'
import { cacheByState } from '../../search/cache-by-version.ts'
import { createSharedValueReader, type SharedValues } from '../../search/columns/shared-values.ts'
import { groupVehicles } from './group-vehicles.ts'
import { toMakeOrModelKey } from './make-and-model-keys.ts'
import { NO_DETAILS, vehiclesOfRuns } from './product-fitment.ts'

/** Vehicles and fitment in the file of a mirror. Each read takes less than a few milliseconds, however large the catalog is. */
export interface VehicleMirror {
  /** Counts are numbers of vehicles. Years come newest first, makes and models by name, ignoring case. */
  vehicleFacet(query: VehicleFacetQuery): VehicleFacetValue[]
  vehicle(vehicleId: number): Vehicle | null
  /** Returns a page of the vehicles that an active product fits; `null`: there is no such product. */
  fitments(sku: string, page: PageRange): SkuFitments | null
  /** Returns how each of these products fits a vehicle; `null`: it does not. */
  fitmentsOn(vehicleId: number, skus: readonly string[]): ((Fitment & { universal: boolean }) | null)[]
}

/** The years of 50,000 vehicles take some milliseconds to count, so they are kept until the vehicles change. */
const MAX_FACETS = 500
const VEHICLE = 'vehicle_id, year, make, model, submodel, engine, market'

/** A product's vehicles in runs; see `vehicles` in mirror-file.ts. */
interface ProductRow {
  universal: number
  universal_details: number
  vehicles: string
}

export function createVehicleReader(
  database: DatabaseSync,
  shared: SharedValues = createSharedValueReader(database),
): VehicleMirror {
  // A vehicle without a market is in all of them.
  const ofMarket = `(:market IS NULL OR market = '' OR market = :market COLLATE NOCASE)`
  const years = database.prepare(
    `SELECT year, count(*) AS count FROM vehicles WHERE ${ofMarket} GROUP BY year ORDER BY year DESC`,
  )
  const makes = database.prepare(
    `SELECT make, count(*) AS count FROM vehicles WHERE year = :year AND ${ofMarket} GROUP BY make_key, make`,
  )
  const ofMake = database.prepare(
    `SELECT ${VEHICLE} FROM vehicles WHERE year = :year AND make_key = :make AND ${ofMarket}`,
  )
  const byId = database.prepare(`SELECT ${VEHICLE} FROM vehicles WHERE vehicle_id = ?`)
  const product = database.prepare(
    'SELECT universal, universal_details, vehicles FROM products WHERE sku = ? AND active = 1',
  )
  const facets = cacheByState(
    database,
    'vehicles',
    () => new LRUCache<string, VehicleFacetValue[]>({ max: MAX_FACETS }),
  )

  const readDetails = (number: number): Fitment => (number === 0 ? NO_DETAILS : shared<Fitment>(number))
  const readVehicle = (id: number) => ({ ...(byId.get(id) as object | undefined) }) as Partial<Vehicle>

  function fitmentsOn(vehicleId: number, sku: string) {
    const row = product.get(sku) as ProductRow | undefined
    const details = row && findDetails(row.vehicles, vehicleId)
    if (!row || (details === null && row.universal === 0)) return null
    return { ...readDetails(details ?? row.universal_details), universal: row.universal === 1 }
  }

  function readFacet(query: VehicleFacetQuery): VehicleFacetValue[] {
    const market = query.market === undefined ? null : normalizeName(query.market)
    if (query.facet === 'year') {
      const rows = years.all({ market }) as { year: number; count: number }[]
      return rows.map(({ year, count }) => ({ value: String(year), label: String(year), count }))
    }
    const { year, facet } = query
    if (facet === 'make') return joinSpellings(makes.all({ year, market }) as { make: string; count: number }[])
    // The key ignores punctuation as well; the make does not.
    const found = ofMake.all({ year, market, make: toMakeOrModelKey(query.make) }) as unknown as Vehicle[]
    const make = normalizeName(query.make)
    return groupVehicles(
      found.filter((vehicle) => normalizeName(vehicle.make) === make),
      facet,
    )
  }

  return {
    vehicleFacet(query) {
      const known = facets().get(JSON.stringify(query))
      const found = known ?? readFacet(query)
      if (!known) facets().set(JSON.stringify(query), found)
      return found
    },
    vehicle(vehicleId) {
      const row = byId.get(vehicleId)
      return row ? ({ ...row } as unknown as Vehicle) : null
    },
    fitments(sku, { limit, offset }) {
      const row = product.get(sku) as ProductRow | undefined
      if (!row) return null
      const runs = JSON.parse(row.vehicles) as number[][]
      const fitments = sliceRuns(runs, offset, limit).flatMap(([id, detailsId]) => {
        const vehicle = readVehicle(id)
        return vehicle.vehicle_id === undefined ? [] : { ...(vehicle as Vehicle), ...readDetails(detailsId) }
      })
      const total = runs.reduce((sum, run) => sum + run.length - 1, 0)
      return { universal: row.universal === 1, fitments, total, has_more: offset + limit < total }
    },
    fitmentsOn: (vehicleId, skus) => skus.map((sku) => fitmentsOn(vehicleId, sku)),
  }
}

/** Returns makes by name. A make that is written in two cases is one make. */
function joinSpellings(makes: readonly { make: string; count: number }[]): VehicleFacetValue[] {
  const groups = [...Map.groupBy(makes, ({ make }) => make.toLowerCase())].sort(([a], [b]) => (a < b ? -1 : 1))
  return groups.map(([, spellings]) => {
    const value = spellings[0]!.make
    return { value, label: value, count: spellings.reduce((sum, { count }) => sum + count, 0) }
  })
}

const normalizeName = (name: string): string => name.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase()

/**
 * Returns the details of a vehicle in JSON of runs; `null`: it is not there. The text of a part of 20,000 vehicles is searched ten times
 * faster than it is parsed.
 */
function findDetails(runs: string, vehicleId: number): number | null {
  const found = [`,${vehicleId},`, `,${vehicleId}]`].map((text) => runs.indexOf(text)).find((at) => at >= 0)
  return found === undefined ? null : Number.parseInt(runs.slice(runs.lastIndexOf('[', found) + 1), 10)
}

/** Returns a page of the vehicles of runs, each with its details. */
function sliceRuns(
  runs: readonly (readonly number[])[],
  offset: number,
  limit: number,
): [vehicle: number, details: number][] {
  const found: [number, number][] = []
  let skipped = 0
  for (const run of runs) {
    const from = Math.max(0, offset - skipped)
    skipped += run.length - 1
    for (const id of vehiclesOfRuns([run]).slice(from, from + limit - found.length)) found.push([id, run[0]!])
    if (found.length >= limit) break
  }
  return found
}
