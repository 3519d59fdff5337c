import type { Call } from '../../src/ports/call.ts'
import { type FitmentPort, MAX_PARTS_PER_VEHICLE } from '../../src/ports/fitment.ts'
import type { InventoryPort, VehicleItems } from '../../src/ports/inventory.ts'

const PAGE_SIZE = 200
const PRODUCT_ONLY = { product: true, stock: false }

/** The vehicle calls of the protocol, for a system that holds fitment while another one holds the products. */
export function createFitmentPort(inventory: InventoryPort): FitmentPort {
  const { vehicleFacet, vehicleItems, fitments } = inventory as Required<InventoryPort>
  const readPage = (id: number, offset: number, call: Call) =>
    vehicleItems(id, { limit: PAGE_SIZE, offset }, PRODUCT_ONLY, call)

  /** Reads all pages: in parallel when the first page has a total, else one after the other. */
  async function readAllPages(first: VehicleItems, id: number, call: Call): Promise<VehicleItems[]> {
    if (!first.has_more) return [first]
    const limit = Math.min(first.total ?? 0, MAX_PARTS_PER_VEHICLE)
    const offsets = Array.from(
      { length: Math.max(0, Math.ceil(limit / PAGE_SIZE) - 1) },
      (_, index) => (index + 1) * PAGE_SIZE,
    )
    const pages = [first, ...(await Promise.all(offsets.map((offset) => readPage(id, offset, call))))]
    while (pages.at(-1)!.has_more && pages.length * PAGE_SIZE < MAX_PARTS_PER_VEHICLE)
      pages.push(await readPage(id, pages.length * PAGE_SIZE, call))
    return pages
  }

  return {
    vehicleFacet,
    fitments,
    async vehicle(id, call) {
      const first = await readPage(id, 0, call)
      if (!first.vehicle) return null
      const pages = await readAllPages(first, id, call)
      const bySku = new Map(pages.flatMap(({ items }) => items).map(({ sku, fitment }) => [sku, { sku, fitment }]))
      return { vehicle: first.vehicle, parts: [...bySku.values()], isComplete: !pages.at(-1)!.has_more }
    },
  }
}
