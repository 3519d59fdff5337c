import { Type } from 'typebox'
import type { MerchantFacts } from '../../src/ports/adapter.ts'
import type { InventoryPort } from '../../src/ports/inventory.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { parseRows } from '../parse-rows.ts'
import { FitmentRow, toFitment } from './fitment-mapping.ts'
import { ListShape, pagingFields, toPage } from './inventory-pages.ts'
import { includedParts, toGetRequest } from './inventory-requests.ts'
import { ItemRow, toItem } from './item-mapping.ts'
import type { ProtocolClient } from './protocol-client.ts'
import { UnknownRows } from './protocol-values.ts'
import { FacetRow, toFacetValue, toVehicle, VehicleRow } from './vehicle-mapping.ts'

const VehiclePageShape = responseSchema(Type.Object({ vehicle: VehicleRow, data: UnknownRows, ...pagingFields }))
const FitmentsPageShape = responseSchema(Type.Object({ universal: Type.Boolean(), data: UnknownRows, ...pagingFields }))

const FittingItemShape = responseSchema(
  Type.Intersect([
    ItemRow,
    Type.Object({ fitment: Type.Intersect([FitmentRow, Type.Object({ universal: Type.Boolean() })]) }),
  ]),
)
const FittedVehicleShape = responseSchema(Type.Intersect([VehicleRow, FitmentRow]))
const FacetShape = responseSchema(FacetRow)

type VehicleMethods = Pick<InventoryPort, 'vehicleFacet' | 'vehicleItems' | 'fitments'>

/** Connects the vehicle calls of an inventory. */
export function connectVehicles({ json, jsonOrNull }: ProtocolClient, facts: MerchantFacts): Required<VehicleMethods> {
  return {
    async vehicleFacet(query, call) {
      const { data } = await json(ListShape, toGetRequest('/vehicle-facets', { ...query }), call)
      return parseRows(data, FacetShape, toFacetValue)
    },
    async vehicleItems(vehicleId, { limit, offset }, parts, call) {
      const query = { limit, offset, include: includedParts(parts).join() }
      const response = await jsonOrNull(
        VehiclePageShape,
        toGetRequest(`/vehicles/${vehicleId}/products`, query, limit),
        call,
      )
      if (!response) return { vehicle: null, items: [], total: 0, has_more: false }
      const page = toPage(response, limit, FittingItemShape, (row) => ({
        ...toItem(row, parts, facts),
        fitment: { ...toFitment(row.fitment), universal: row.fitment.universal },
      }))
      return { vehicle: toVehicle(response.vehicle), ...page }
    },
    async fitments(sku, { limit, offset }, call) {
      const response = await jsonOrNull(
        FitmentsPageShape,
        toGetRequest(`/products/${encodeURIComponent(sku)}/fitments`, { limit, offset }, limit),
        call,
      )
      if (!response) return null
      const { items, ...rest } = toPage(response, limit, FittedVehicleShape, (row) => ({
        ...toVehicle(row),
        ...toFitment(row),
      }))
      return { universal: response.universal, fitments: items, ...rest }
    },
  }
}
