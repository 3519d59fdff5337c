import { Type } from 'typebox'
import type { Rpc } from '../../../adapters/tryton/client/rpc.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createCallWithLongDeadline } from './long-deadline-call.ts'
import { trytonSeriesDifferences } from './tryton-series-differences.ts'

const Anything = responseSchema(Type.Unknown())
const Ids = responseSchema(Type.Array(Type.Integer()))

/** Plans an internal shipment of units of a SKU from the storage zone to the lost goods. Returns its id in a list. */
export function planRemoval(rpc: Rpc, sku: string, quantity: number): Promise<number[]> {
  return planShipment(rpc, sku, quantity, (storage, lost) => ({ from_location: storage, to_location: lost }))
}

/** Takes units of a SKU out of stock. */
export async function takeFromStock(rpc: Rpc, sku: string, quantity: number): Promise<void> {
  await ship(rpc, await planRemoval(rpc, sku, quantity))
}

/** Returns to stock what was taken from it. */
export async function returnToStock(rpc: Rpc, sku: string, quantity: number): Promise<void> {
  const back = (storage: number, lost: number) => ({ from_location: lost, to_location: storage })
  await ship(rpc, await planShipment(rpc, sku, quantity, back))
}

type FromTo = { from_location: number; to_location: number }

async function planShipment(
  rpc: Rpc,
  sku: string,
  quantity: number,
  between: (storage: number, lost: number) => FromTo,
): Promise<number[]> {
  const find = async (model: string, domain: unknown[]) =>
    (await rpc(Ids, `${model}.search`, [domain, 0, 1, [['id', 'ASC']]], createCallWithLongDeadline()))[0]!
  const [product, unit, storage, lost] = await Promise.all([
    find('product.product', [['code', '=', sku]]),
    find('product.uom', [['name', '=', 'Unit']]),
    find('stock.location', [['code', '=', 'STO']]),
    find('stock.location', [['type', '=', 'lost_found']]),
  ])
  const places = { company: 1, ...between(storage, lost) }
  const moves = [['create', [{ product, [trytonSeriesDifferences().moveUnit]: unit, quantity, ...places }]]]
  const shipment = await rpc(
    Ids,
    'stock.shipment.internal.create',
    [[{ ...places, moves }]],
    createCallWithLongDeadline(),
  )
  await rpc(Anything, 'stock.shipment.internal.wait', [shipment], createCallWithLongDeadline())
  return shipment
}

async function ship(rpc: Rpc, shipment: number[]): Promise<void> {
  for (const step of ['assign_force', trytonSeriesDifferences().shipmentSteps.at(-1)!])
    await rpc(Anything, `stock.shipment.internal.${step}`, [shipment], createCallWithLongDeadline())
}
