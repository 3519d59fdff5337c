import type { HttpClient, MerchantFacts } from '../../src/ports/adapter.ts'
import type { Call } from '../../src/ports/call.ts'
import { type FitmentPort, MAX_PARTS_PER_VEHICLE } from '../../src/ports/fitment.ts'
import type { InventoryPort, VehicleItems } from '../../src/ports/inventory.ts'
import type { RestSettings } from './adapter.ts'
import { connectInventory } from './inventory.ts'

const PAGE = 200
const PRODUCT = { product: true, stock: false }

/** The vehicle calls of the protocol alone: of a system that knows what fits, beside another that has the products. */
export function connectFitment(settings: RestSettings, client: HttpClient, facts: MerchantFacts): FitmentPort {
  const { vehicleFacet, vehicleItems, fitments } = connectInventory(settings, client, facts) as Required<InventoryPort>
  const pageAt = (id: number, offset: number, call: Call) => vehicleItems(id, { limit: PAGE, offset }, PRODUCT, call)

  /** All pages: at once when the first says how many there are, else one after the other. */
  async function pagesFrom(first: VehicleItems, id: number, call: Call): Promise<VehicleItems[]> {
    if (!first.has_more) return [first]
    const end = Math.min(first.total ?? 0, MAX_PARTS_PER_VEHICLE)
    const known = Array.from({ length: Math.max(0, Math.ceil(end / PAGE) - 1) }, (_, at) => (at + 1) * PAGE)
    const pages = [first, ...(await Promise.all(known.map((offset) => pageAt(id, offset, call))))]
    while (pages.at(-1)!.has_more && pages.length * PAGE < MAX_PARTS_PER_VEHICLE)
      pages.push(await pageAt(id, pages.length * PAGE, call))
    return pages
  }

  return {
    vehicleFacet,
    fitments,
    async vehicle(id, call) {
      const first = await pageAt(id, 0, call)
      if (!first.vehicle) return null
      const pages = await pagesFrom(first, id, call)
      const bySku = new Map(pages.flatMap(({ items }) => items).map(({ sku, fitment }) => [sku, { sku, fitment }]))
      return { vehicle: first.vehicle, parts: [...bySku.values()], isComplete: !pages.at(-1)!.has_more }
    },
  }
}
