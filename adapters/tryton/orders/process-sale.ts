import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import type { Rpc } from '../client/rpc.ts'
import { ConcurrentWriteError, isRejected, TrytonServerError } from '../client/rpc-errors.ts'
import type { SaleRow } from './order-record-reader.ts'

const AnyResult = responseSchema(Type.Unknown())
const Configurations = responseSchema(Type.Array(Type.Object({ sale_process_after: Type.Unknown() })))

/**
 * Creates the shipment and invoice of a confirmed sale. Tryton does this in a second transaction after the
 * confirmation: if its process dies between the two, they are never created. A shop that delays on purpose (Process Sale after)
 * is left to its own queue.
 */
export async function processSale(rpc: Rpc, { id }: Pick<SaleRow, 'id'>, call: Call): Promise<void> {
  try {
    const [configuration] = await rpc(Configurations, 'sale.configuration.read', [[1], ['sale_process_after']], call)
    if (configuration && configuration.sale_process_after === null)
      await rpc(AnyResult, 'sale.sale.process', [[id]], call, { language: 'en' })
  } catch (error) {
    if (error instanceof ConcurrentWriteError) return
    // The order is placed even without that right or with a failing module: staff see it in Tryton.
    if (!isRejected(error) && !(error instanceof TrytonServerError)) throw error
  }
}
