import type { Price } from '../../../../src/ports/pricing.ts'
import { changeMethod } from './change-port.ts'
import { mutantsOf } from './mutant.ts'
import { withoutAbort } from './without-abort.ts'

export const callerMutants = [
  ...mutantsOf(
    'a caller who aborts',
    [
      'starts although its caller has already aborted',
      'aborted before the call',
      changeMethod('accounting.taxes', (taxes) => (skus, customer, call) => taxes(skus, customer, withoutAbort(call))),
      { operations: ['accounting.taxes'] },
    ],
    [
      'keeps waiting after its caller aborted',
      'does not respond at all',
      changeMethod('inventory.items', (items) => (skus, parts, call) => items(skus, parts, withoutAbort(call))),
      { operations: ['inventory.items'] },
    ],
    [
      'keeps writing after its caller aborted',
      'whichever exchange gets no response',
      changeMethod('accounting.placeOrder', (placeOrder, { accounting }) => async (draft, call) => {
        const { reference, customer_id } = draft
        const writing = accounting
          .order(customer_id, { reference }, withoutAbort(call))
          .then(() => placeOrder(draft, withoutAbort(call)))
        const left = new Promise<never>((_, reject) =>
          call.signal.addEventListener('abort', () => reject(call.signal.reason)),
        )
        return Promise.race([writing, left])
      }),
      { operations: ['accounting.placeOrder'] },
    ],
  ),
  ...mutantsOf('parallel callers', [
    'shares results between parallel callers',
    'results of single calls',
    changeMethod('pricing.prices', (prices) => {
      let last: Promise<Price[]> | undefined
      return (...asked) => {
        last ??= prices(...asked).finally(() => {
          last = undefined
        })
        return last
      }
    }),
  ]),
]
