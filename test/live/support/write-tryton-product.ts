import { Type } from 'typebox'
import type { Rpc } from '../../../adapters/tryton/client/rpc.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createCallWithLongDeadline } from './long-deadline-call.ts'

const Anything = responseSchema(Type.Unknown())
const Ids = responseSchema(Type.Array(Type.Integer()))

/** Writes values into the product that has a SKU. */
export async function writeTrytonProduct(rpc: Rpc, sku: string, values: object): Promise<void> {
  const bySku = [[['code', '=', sku]], 0, null, [['id', 'ASC']]]
  const ids = await rpc(Ids, 'product.template.search', bySku, createCallWithLongDeadline())
  await rpc(Anything, 'product.template.write', [ids, values], createCallWithLongDeadline())
}
