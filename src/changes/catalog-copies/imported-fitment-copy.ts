import { type FittedVehicle, toProductFitment } from '../../catalog/mirror/vehicles/product-fitment.ts'
import type { Fitment } from '../../ports/sku-fitments.ts'
import { listCatalogPartSkus } from '../../storage/catalog/catalog-part-skus.ts'
import { putCatalogParts } from '../../storage/catalog/catalog-products.ts'
import { listCatalogVehicleIds, putCatalogVehicles } from '../../storage/catalog/catalog-vehicles.ts'
import { fitmentImports } from '../../storage/fitment/fitment-imports.ts'
import {
  type FitmentCopyRow,
  listFitmentsAfter,
  listImportVehiclesAfter,
  listKnownVehicles,
  listSkusWithFitments,
} from '../../storage/fitment/imported-fitment-copy-queries.ts'
import { UNIVERSAL_VEHICLE_ID } from '../../storage/fitment/imported-fitment-queries.ts'
import type { ChangeJobContext } from '../feed/change-job.ts'
import type { CopyStep, ImportCopy } from './copy-import.ts'
import { takeWholeSkus } from './take-whole-skus.ts'

const PAGE_ROWS = 2_000
const PAGE_SKUS = 500
/** Ids fit 31 bits. */
const LAST_VEHICLE_ID = 2 ** 31 - 1

/** Creates the copy of imported fitment: vehicles first, because products refer to them. */
export function createImportedFitmentCopy({ db, tenant }: ChangeJobContext): ImportCopy {
  const writeVehicles: CopyStep = async (importId, after) => {
    const found = importId === null ? [] : await listImportVehiclesAfter(db, importId, Number(after), PAGE_SKUS)
    const vehicles = found.map((vehicle) => ({ vehicle_id: vehicle.vehicle_id, vehicle: JSON.stringify(vehicle) }))
    return {
      next: found.length === PAGE_SKUS ? String(found.at(-1)!.vehicle_id) : null,
      write: (transaction, at) => putCatalogVehicles(transaction, tenant, vehicles, at),
    }
  }

  async function readWholeSkus(importId: number, after: string): Promise<FitmentCopyRow[]> {
    const rows = await listFitmentsAfter(db, importId, { sku: after, vehicle_id: LAST_VEHICLE_ID }, PAGE_ROWS)
    const [first] = rows
    // A page with one product: the rest of its vehicles follow.
    for (let page = rows; page.length === PAGE_ROWS && page.at(-1)!.sku === first!.sku; ) {
      page = await listFitmentsAfter(db, importId, page.at(-1)!, PAGE_ROWS)
      rows.push(...page.filter(({ sku }) => sku === first!.sku))
    }
    return rows
  }

  const writeFitments: CopyStep = async (importId, after) => {
    const rows = importId === null ? [] : await readWholeSkus(importId, after)
    const groups = takeWholeSkus(rows, PAGE_ROWS)
    const parts = groups.map(([sku, fitments]) => ({ sku, fitment: JSON.stringify(combine(fitments)) }))
    return {
      next: rows.length >= PAGE_ROWS ? groups.at(-1)![0] : null,
      write: (transaction, at) => putCatalogParts(transaction, tenant, parts, at),
    }
  }

  const clearFitments: CopyStep = async (importId, after) => {
    const skus = (await listCatalogPartSkus(db, tenant, 'fitment', after, PAGE_SKUS)).map(({ sku }) => sku)
    const kept = new Set(importId === null ? [] : await listSkusWithFitments(db, importId, skus))
    const parts = skus.filter((sku) => !kept.has(sku)).map((sku) => ({ sku, fitment: null }))
    return {
      next: skus.length === PAGE_SKUS ? skus.at(-1)! : null,
      write: (transaction, at) => putCatalogParts(transaction, tenant, parts, at),
    }
  }

  const clearVehicles: CopyStep = async (importId, after) => {
    const ids = await listCatalogVehicleIds(db, tenant, Number(after), PAGE_SKUS)
    const kept = new Set(importId === null ? [] : await listKnownVehicles(db, importId, ids))
    const gone = ids.filter((id) => !kept.has(id)).map((vehicle_id) => ({ vehicle_id, vehicle: null }))
    return {
      next: ids.length === PAGE_SKUS ? String(ids.at(-1)) : null,
      write: (transaction, at) => putCatalogVehicles(transaction, tenant, gone, at),
    }
  }

  return {
    name: 'fitment',
    store: fitmentImports,
    steps: [writeVehicles, writeFitments, clearFitments, clearVehicles],
  }
}

/** Returns the fitment of a product, with its vehicles in the order in which they are listed. */
function combine(rows: readonly FitmentCopyRow[]) {
  const universal = rows.find(({ vehicle_id }) => vehicle_id === UNIVERSAL_VEHICLE_ID)
  const vehicles = rows
    .filter(({ make }) => make !== null)
    .sort(compareVehicles)
    .map(
      ({ vehicle_id, year, make, model, fitment }): FittedVehicle => ({
        vehicle_id,
        year: year!,
        make: make!,
        model: model!,
        fitment: JSON.parse(fitment),
      }),
    )
  return toProductFitment(universal ? (JSON.parse(universal.fitment) as Fitment) : null, vehicles)
}

const compareVehicles = (a: FitmentCopyRow, b: FitmentCopyRow): number =>
  compare(a.make_key!, b.make_key!) || compare(a.model!, b.model!) || b.year! - a.year! || a.vehicle_id - b.vehicle_id

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
