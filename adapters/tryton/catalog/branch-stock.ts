import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { BranchStock } from '../../../src/ports/inventory.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import type { Rpc } from '../client/rpc.ts'
import { TrytonId } from '../client/tryton-values.ts'
import type { WarehouseLocations } from './warehouse-locations.ts'
import { freeQuantityContext } from './warehouse-locations.ts'

const Quantities = responseSchema(Type.Array(Type.Object({ id: TrytonId, quantity: Type.Number() })))

/** Reads the free quantity of products in each warehouse: a call each, in parallel. Returns the branches of a product by its id. */
export async function readBranchStock(
  rpc: Rpc,
  productDomain: unknown[],
  { branches = [] }: WarehouseLocations,
  call: Call,
): Promise<(product: number) => BranchStock[] | undefined> {
  const params = [productDomain, 0, null, [['id', 'ASC']], ['quantity']]
  const read = await Promise.all(
    branches.map(async ({ locations, ...branch }) => {
      const context = freeQuantityContext(locations)
      const rows = await rpc(Quantities, 'product.product.search_read', params, call, context)
      return { branch, quantities: new Map(rows.map(({ id, quantity }) => [id, quantity])) }
    }),
  )
  return (product) => {
    const known = read.flatMap(({ branch, quantities }) => {
      const available = quantities.get(product)
      return available === undefined ? [] : [{ ...branch, available }]
    })
    return known.length > 0 ? known : undefined
  }
}
