import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import type { Rpc } from '../client/rpc.ts'
import { TrytonUserWarning } from '../client/rpc-errors.ts'
import { TrytonId } from '../client/tryton-values.ts'
import type { TrytonSettings } from '../settings.ts'

const AnyResult = responseSchema(Type.Unknown())
const Ids = responseSchema(Type.Array(TrytonId))
/** Warnings that the adapter confirms. Goods on order may be sold, and checkout checked the stock. No other warning is harmless. */
const HARMLESS = /^stock_quantity_warning_/
const MAX_WARNINGS = 50

/** Returns a function that runs work again after confirming Tryton's harmless warnings, of which there may be one per line. */
export function createWarningConfirmation(rpc: Rpc, { user }: TrytonSettings) {
  let userId: number | undefined

  async function confirmWarning(name: string, call: Call): Promise<void> {
    userId ??= (await rpc(Ids, 'res.user.search', [[['login', '=', user]], 0, 1, null], call))[0]
    await rpc(AnyResult, 'res.user.warning.create', [[{ user: userId, name, always: false }]], call)
  }

  return async <T>(work: () => Promise<T>, call: Call): Promise<T> => {
    for (let confirmed = 0; ; confirmed += 1) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof TrytonUserWarning) || !HARMLESS.test(error.warningName) || confirmed === MAX_WARNINGS)
          throw error
        await confirmWarning(error.warningName, call)
      }
    }
  }
}
