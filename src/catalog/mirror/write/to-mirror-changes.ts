import type { Product } from '../../../ports/inventory.ts'
import type { MirrorRow } from '../file/mirror-row.ts'
import { toPicturePaths } from '../file/picture-paths.ts'
import { type ProductFitment, vehiclesOfRuns } from '../vehicles/product-fitment.ts'
import type { MirrorChanges } from './mirror-writer.ts'

/** A product as the store has it. Documents are JSON; `null`: the part was not read yet. */
export interface StoredProduct
  extends Pick<MirrorRow, 'sku' | 'sequence' | 'popularity' | 'price_as_of' | 'stock_as_of'> {
  product: string
  /** `null`: it must be numbered first. */
  ordinal: number | null
  active: boolean
  price: string | null
  tax: string | null
  availability: string | null
  numbers: string | null
  /** Imported: it stands where the inventory has none. */
  description: string | null
  fitment: string | null
}

/** Changes of one catalog. The products are rows of the store: they are parsed in the thread that writes the file. */
export interface StoreChanges extends Omit<MirrorChanges, 'rows'> {
  rows?: readonly StoredProduct[]
}

/** `pause`: called between the products. */
export const toMirrorChanges = ({ rows, ...changes }: StoreChanges, pause = () => {}): MirrorChanges => ({
  ...changes,
  ...(rows && {
    rows: rows.map((row) => {
      pause()
      return toMirrorRow(row)
    }),
  }),
})

/** Returns a product in the store as a mirror's row. */
export function toMirrorRow(row: StoredProduct): MirrorRow {
  const { sku, sequence, ordinal, popularity, price_as_of, stock_as_of } = row
  return {
    sku,
    sequence,
    ...(ordinal !== null && { ordinal }),
    popularity,
    price_as_of,
    stock_as_of,
    product: toPicturePaths({ ...withDescription(JSON.parse(row.product), row.description), active: row.active }),
    ...(row.price !== null && { price: JSON.parse(row.price) }),
    ...(row.tax !== null && { tax: JSON.parse(row.tax) }),
    ...(row.availability !== null && { availability: JSON.parse(row.availability) }),
    references: row.numbers === null ? [] : JSON.parse(row.numbers),
    ...toRowFitment(row.fitment),
  }
}

const withDescription = (product: Product, imported: string | null): Product =>
  imported === null || product.description?.trim() ? product : { ...product, description: imported }

/** Returns the fitment of a product in the store as a mirror's row has it; `null`: it was not read, or fits nothing. */
function toRowFitment(document: string | null): Pick<MirrorRow, 'vehicles' | 'universal' | 'fitment'> {
  if (document === null) return { vehicles: [], universal: false }
  const fitment = JSON.parse(document) as ProductFitment
  return { vehicles: vehiclesOfRuns(fitment.runs), universal: fitment.universal !== null, fitment }
}

/** Returns the changes of vehicles in the store. A vehicle without a document no longer exists. */
export function toVehicleChanges(
  rows: readonly { vehicle_id: number; vehicle: string | null }[],
): Required<Pick<MirrorChanges, 'vehicles' | 'removedVehicles'>> {
  return {
    vehicles: rows.flatMap(({ vehicle }) => (vehicle === null ? [] : JSON.parse(vehicle))),
    removedVehicles: rows.flatMap(({ vehicle_id, vehicle }) => (vehicle === null ? vehicle_id : [])),
  }
}
