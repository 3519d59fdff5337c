import { Type } from 'typebox'
import { includeSchema, itemProperties, pageProperties } from './inventory-operations.ts'
import type { Operation } from './operation.ts'
import { nullableSchema, pagingProperties } from './schema-parts.ts'

const vehicleProperties = {
  vehicle_id: Type.Integer(),
  year: Type.Integer(),
  make: Type.String(),
  model: Type.String(),
  submodel: nullableSchema(Type.String()),
  engine: nullableSchema(Type.String()),
  market: Type.String(),
}

const fitmentProperties = {
  positions: Type.Array(Type.String()),
  quantity: nullableSchema(Type.Number()),
  notes: nullableSchema(Type.String()),
  qualifiers: Type.Array(Type.Object({ code: Type.String(), text: Type.String() })),
}

const vehicleId = Type.Object({ vehicle_id: Type.Integer({ minimum: 0 }) })

export const vehicleOperations = {
  listVehicleFacet: {
    method: 'GET',
    path: '/vehicle-facets',
    summary: 'Years; makes of a year; models of a year and make. Counts are vehicles. Make is case-insensitive.',
    query: Type.Object({
      facet: Type.Union([Type.Literal('year'), Type.Literal('make'), Type.Literal('model')]),
      market: Type.Optional(Type.String()),
      year: Type.Optional(Type.Integer()),
      make: Type.Optional(Type.String()),
    }),
    response: Type.Object({
      data: Type.Array(
        Type.Object({
          value: Type.String(),
          label: Type.String(),
          count: Type.Integer(),
          vehicle_id: Type.Optional(Type.Integer({ description: 'Only on models: the first of the variants.' })),
          variants: Type.Optional(
            Type.Array(
              Type.Object({
                vehicle_id: Type.Integer(),
                submodel: nullableSchema(Type.String()),
                engine: nullableSchema(Type.String()),
                market: Type.Optional(Type.String()),
              }),
            ),
          ),
        }),
      ),
    }),
  },
  listVehicleProducts: {
    method: 'GET',
    path: '/vehicles/{vehicle_id}/products',
    summary:
      'Active products that fit a vehicle, including universal ones, which are marked. 404: the vehicle does not exist.',
    params: vehicleId,
    query: Type.Object({ ...pagingProperties, include: includeSchema }),
    response: Type.Object({
      vehicle: Type.Object(vehicleProperties),
      data: Type.Array(
        Type.Object({ ...itemProperties, fitment: Type.Object({ ...fitmentProperties, universal: Type.Boolean() }) }),
      ),
      ...pageProperties,
    }),
  },
  listFitments: {
    method: 'GET',
    path: '/products/{sku}/fitments',
    summary: 'The vehicles that a product fits. 404: the SKU does not exist.',
    params: Type.Object({ sku: Type.String({ minLength: 1 }) }),
    query: Type.Object({ ...pagingProperties }),
    response: Type.Object({
      universal: Type.Boolean(),
      data: Type.Array(Type.Object({ ...vehicleProperties, ...fitmentProperties })),
      ...pageProperties,
    }),
  },
} as const satisfies Record<string, Operation>
