import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import type { Rpc } from '../client/rpc.ts'
import { TrytonUserWarning } from '../client/rpc-errors.ts'
import { TrytonId } from '../client/tryton-values.ts'
import type { TrytonSettings } from '../settings.ts'

const Anything = responseSchema(Type.Unknown())
const Ids = responseSchema(Type.Array(TrytonId))
/** Goods on order are sold, and checkout looked at the stock: an account that is merely warned goes on. No other warning is harmless. */
const HARMLESS = /^stock_quantity_warning_/
const MOST = 50

/** Says yes to Tryton's harmless warnings, one for each line perhaps, and does the work again. */
export function createWarningConfirmation(rpc: Rpc, { user }: TrytonSettings) {
  let self: number | undefined

  async function accept(name: string, call: Call): Promise<void> {
    self ??= (await rpc(Ids, 'res.user.search', [[['login', '=', user]], 0, 1, null], call))[0]
    await rpc(Anything, 'res.user.warning.create', [[{ user: self, name, always: false }]], call)
  }

  return async <T>(work: () => Promise<T>, call: Call): Promise<T> => {
    for (let warned = 0; ; warned += 1) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof TrytonUserWarning) || !HARMLESS.test(error.warning) || warned === MOST) throw error
        await accept(error.warning, call)
      }
    }
  }
}
