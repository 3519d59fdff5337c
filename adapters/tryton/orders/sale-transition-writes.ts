import { setTimeout as pause } from 'node:timers/promises'
import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { raceWithAbort } from '../../race-with-abort.ts'
import { ConcurrentWriteError } from '../client/rpc-errors.ts'
import type { TrytonContext } from '../context.ts'
import type { SaleRow } from './order-record-reader.ts'
import { formatRefusal, type OrderRefusal, toOutcomeValues } from './sale-outcome-text.ts'
import { createWarningConfirmation } from './warning-confirmation.ts'

const AnyResult = responseSchema(Type.Unknown())
const MAX_LOCK_ATTEMPTS = 4
const LOCK_PAUSE_MS = 150

/** Writes to a sale that do nothing when another process has changed it: the caller reads the result. */
export interface SaleWrites {
  runTransition(sale: SaleRow, method: 'quote' | 'confirm', call: Call): Promise<void>
  /** Stores the refusal, then cancels the sale. */
  refuse(sale: SaleRow, refusal: OrderRefusal, call: Call): Promise<void>
  cancel(sale: SaleRow, call: Call): Promise<void>
}

export function createSaleWrites({ rpc, settings, capabilities }: TrytonContext, random: () => number): SaleWrites {
  const withWarningsConfirmed = createWarningConfirmation(rpc, settings)

  async function runTransition(sale: SaleRow, method: 'quote' | 'confirm', call: Call): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await withWarningsConfirmed(
          () => rpc(AnyResult, `sale.sale.${method}`, [[sale.id]], call, ifUnchanged(sale)),
          call,
        )
        return
      } catch (error) {
        if (!(error instanceof UpstreamError) || !error.retryable) throw error
        if (error instanceof ConcurrentWriteError) return
        if (attempt === MAX_LOCK_ATTEMPTS) throw error
        await raceWithAbort(pause(LOCK_PAUSE_MS * attempt * (0.5 + random())), call)
      }
    }
  }

  async function refuse(sale: SaleRow, refusal: OrderRefusal, call: Call): Promise<void> {
    try {
      const values = toOutcomeValues(sale, formatRefusal(refusal), await capabilities.has('release76', call))
      await rpc(AnyResult, 'sale.sale.write', [[sale.id], values], call, ifUnchanged(sale))
    } catch (error) {
      if (error instanceof ConcurrentWriteError) return
      throw error
    }
    await cancel(sale, call)
  }

  async function cancel(sale: SaleRow, call: Call): Promise<void> {
    try {
      await rpc(AnyResult, 'sale.sale.cancel', [[sale.id]], call, { language: 'en' })
    } catch (error) {
      if (!(error instanceof ConcurrentWriteError)) throw error
    }
  }

  return { runTransition, refuse, cancel }
}

/**
 * The context in which Tryton rejects a write to a sale that changed since it was read. In English, so that refusals
 * can be recognised.
 */
const ifUnchanged = ({ id, _timestamp }: SaleRow) => ({
  _timestamp: { [`sale.sale,${id}`]: _timestamp },
  language: 'en',
})
