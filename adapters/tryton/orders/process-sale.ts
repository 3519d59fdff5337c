import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import { isRejected } from '../accounting-context.ts'
import type { Rpc } from '../client/rpc.ts'
import { TrytonServerError } from '../client/rpc-errors.ts'
import type { SaleRow } from './order-records.ts'

const Anything = responseSchema(Type.Unknown())
const Configurations = responseSchema(Type.Array(Type.Object({ sale_process_after: Type.Unknown() })))

/**
 * Tryton makes a sale's shipment and invoice in a second transaction, right after the one that confirms it: where its process died
 * between the two, nobody would ever make them. A shop that waits on purpose (Process Sale after) is left to its own queue.
 */
export async function processSale(rpc: Rpc, { id }: Pick<SaleRow, 'id'>, call: Call): Promise<void> {
  try {
    const [shop] = await rpc(Configurations, 'sale.configuration.read', [[1], ['sale_process_after']], call)
    if (shop && shop.sale_process_after === null) await rpc(Anything, 'sale.sale.process', [[id]], call)
  } catch (error) {
    // An account without that right, or a module that fails there, has its order all the same, and people who see it in Tryton.
    if (!isRejected(error) && !(error instanceof TrytonServerError)) throw error
  }
}
