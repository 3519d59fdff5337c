import { Type } from 'typebox'
import type { Rpc } from '../../../adapters/tryton/client/rpc.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createLongCall } from './long-call.ts'
import { trytonNames } from './tryton-names.ts'

const Anything = responseSchema(Type.Unknown())
const Ids = responseSchema(Type.Array(Type.Integer()))

/** Plans an internal shipment of units of a SKU from the storage zone to the lost goods. Returns its id in a list. */
export async function planRemoval(rpc: Rpc, sku: string, quantity: number): Promise<number[]> {
  const find = async (model: string, domain: unknown[]) =>
    (await rpc(Ids, `${model}.search`, [domain, 0, 1, [['id', 'ASC']]], createLongCall()))[0]!
  const [product, unit, from_location, to_location] = await Promise.all([
    find('product.product', [['code', '=', sku]]),
    find('product.uom', [['name', '=', 'Unit']]),
    find('stock.location', [['code', '=', 'STO']]),
    find('stock.location', [['type', '=', 'lost_found']]),
  ])
  const places = { company: 1, from_location, to_location }
  const moves = [['create', [{ product, [trytonNames().moveUnit]: unit, quantity, ...places }]]]
  const shipment = await rpc(Ids, 'stock.shipment.internal.create', [[{ ...places, moves }]], createLongCall())
  await rpc(Anything, 'stock.shipment.internal.wait', [shipment], createLongCall())
  return shipment
}

/** Takes units of a SKU out of stock. */
export async function takeFromStock(rpc: Rpc, sku: string, quantity: number): Promise<void> {
  const shipment = await planRemoval(rpc, sku, quantity)
  for (const step of ['assign_force', trytonNames().shipmentSteps.at(-1)!])
    await rpc(Anything, `stock.shipment.internal.${step}`, [shipment], createLongCall())
}
