import { UpstreamError } from '../../../../src/errors.ts'
import type { Price } from '../../../../src/ports/pricing.ts'
import { type Mutant, mutateAccounting, mutateInventory, mutatePricing, withoutAbort } from './mutant.ts'

export const failureMutants: Mutant[] = [
  {
    mistake: 'treats a failure as an empty result',
    requirement: ['a system that answers 500', 'reject'],
    mutate: mutatePricing(({ prices }) => ({ prices: (...asked) => prices(...asked).catch(() => []) })),
  },
  {
    mistake: 'takes an expired credential for a rejected request',
    requirement: ['a system that answers 401', 'reject'],
    mutate: mutatePricing(({ prices }) => ({
      prices: (...asked) =>
        prices(...asked).catch((error: UpstreamError) => {
          throw error.failure === 'unauthorized' ? new UpstreamError('rejected', error.message) : error
        }),
    })),
  },
  {
    mistake: 'rejects with errors of its own',
    requirement: ['a system that answers an HTML page', 'reject'],
    mutate: mutateAccounting(({ orders }) => ({
      orders: (...asked) =>
        orders(...asked).catch((cause) => {
          throw new Error('no orders', { cause })
        }),
    })),
  },
  {
    mistake: 'keeps waiting after its caller aborted',
    requirement: ['a caller who aborts', 'does not respond at all'],
    mutate: mutateInventory(({ items }) => ({ items: (skus, parts, call) => items(skus, parts, withoutAbort(call)) })),
  },
  {
    mistake: 'starts although its caller has already aborted',
    requirement: ['a caller who aborts', 'aborted before the call'],
    mutate: mutateAccounting(({ taxes }) => ({
      taxes: (skus, customer, call) => taxes(skus, customer, withoutAbort(call)),
    })),
  },
  {
    mistake: 'keeps writing after its caller aborted',
    requirement: ['a caller who aborts', 'whichever exchange gets no response'],
    mutate: mutateAccounting(({ placeOrder, order }) => ({
      async placeOrder(draft, call) {
        const there = order(draft.customer_id, { reference: draft.reference }, withoutAbort(call))
        const writing = there.then(() => placeOrder(draft, withoutAbort(call)))
        const left = new Promise<never>((_, reject) =>
          call.signal.addEventListener('abort', () => reject(call.signal.reason)),
        )
        return Promise.race([writing, left])
      },
    })),
  },
  {
    mistake: 'shares results between parallel callers',
    requirement: ['parallel callers', 'results of single calls'],
    mutate: mutatePricing(({ prices }) => {
      let last: Promise<Price[]> | undefined
      return {
        prices(...asked) {
          last ??= prices(...asked).finally(() => {
            last = undefined
          })
          return last
        },
      }
    }),
  },
]
