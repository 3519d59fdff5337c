import { type Static, Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { Address } from '../../../src/ports/customer.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { nullable, TrytonId } from '../client/tryton-values.ts'
import type { TrytonContext } from '../context.ts'
import { findAddress, findCountryAndSubdivision } from '../customers/addresses.ts'

const CostMethod = nullable(Type.String())
const Defaults = responseSchema(
  Type.Object({ shipment_cost_method: Type.Optional(CostMethod), warehouse: Type.Optional(nullable(TrytonId)) }),
)
const Changes = Type.Object({
  shipment_cost_method: Type.Optional(CostMethod),
  shipment_address: Type.Optional(nullable(TrytonId)),
})
/** A list of one up to some series of Tryton, and the values themselves in later ones. */
const ChangeRows = responseSchema(Type.Union([Type.Array(Changes), Changes]))
/** Ids up to some series, and the added records in later ones. */
const AddedCarriers = Type.Object({
  add: Type.Optional(Type.Array(Type.Tuple([Type.Integer(), Type.Object({ id: TrytonId })]))),
})
const Available = Type.Object({ available_carriers: Type.Optional(Type.Union([Type.Array(TrytonId), AddedCarriers])) })
const AvailableShape = responseSchema(Available)

/** What Tryton decides about the deliveries of a sale before a carrier is chosen. */
export interface AvailableCarriers {
  /** The ids of the carriers that go to the address, in Tryton's order. */
  carrierIds: number[]
  /** False when this customer pays nothing for deliveries: the Shipment Cost Method is None. */
  isCharged: boolean
}

/** Returns a function that asks Tryton for the carriers of a sale. Tryton computes them for a sale that is not stored. */
export function createAvailableCarrierReader(context: TrytonContext) {
  const { rpc, settings } = context

  /** Returns the address that the sale would have, as an id, or as values when it does not exist yet. */
  async function describeAddress(party: number, address: Address, call: Call): Promise<number | object> {
    const existing = await findAddress(context, party, address, call)
    return existing ?? findCountryAndSubdivision(context, address, call)
  }

  return async (party: number, address: Address | null, call: Call): Promise<AvailableCarriers> => {
    const [defaults, warehouses, place] = await Promise.all([
      rpc(Defaults, 'sale.sale.default_get', [['shipment_cost_method', 'warehouse'], false], call),
      settings.warehouse === undefined ? null : context.readWarehouses(call),
      address && describeAddress(party, address, call),
    ])
    const { shipment_cost_method: method = null } = defaults
    const warehouse = warehouses?.warehouseIds[0] ?? defaults.warehouse ?? null
    const values = { party, company: settings.company ?? 1, warehouse, lines: [] }
    const asked = [{ ...values, shipment_cost_method: method }, ['party']]
    const found = await rpc(ChangeRows, 'sale.sale.on_change', asked, call)
    const changes = (Array.isArray(found) ? found[0] : found) ?? {}
    const shipment_address = place ?? changes.shipment_address ?? null
    const of = [{ ...values, shipment_address }, ['available_carriers']]
    const { available_carriers } = await rpc(AvailableShape, 'sale.sale.on_change_with', of, call)
    const { shipment_cost_method: changed = method } = changes
    return { carrierIds: toIds(available_carriers), isCharged: changed !== null }
  }
}

function toIds(available: Static<typeof Available>['available_carriers'] = []): number[] {
  return Array.isArray(available) ? available : (available.add ?? []).map(([, { id }]) => id)
}
