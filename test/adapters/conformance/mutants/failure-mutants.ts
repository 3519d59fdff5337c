import type { Price } from '../../../../src/ports/pricing.ts'
import { type Mutant, mutateAccounting, mutateInventory, mutatePricing, withoutAbort } from './mutant.ts'

export const failureMutants: Mutant[] = [
  {
    mistake: 'takes a failure for an empty answer',
    duty: ['a system that answers 500', 'reject'],
    spoil: mutatePricing(({ prices }) => ({ prices: (...asked) => prices(...asked).catch(() => []) })),
  },
  {
    mistake: 'rejects with errors of its own',
    duty: ['a system that answers a page for people', 'reject'],
    spoil: mutateAccounting(({ orders }) => ({
      orders: (...asked) =>
        orders(...asked).catch((cause) => {
          throw new Error('no orders', { cause })
        }),
    })),
  },
  {
    mistake: 'waits on when its caller has left',
    duty: ['a caller who leaves', 'from the first question on'],
    spoil: mutateInventory(({ items }) => ({ items: (skus, parts, call) => items(skus, parts, withoutAbort(call)) })),
  },
  {
    mistake: 'begins though its caller has left before',
    duty: ['a caller who leaves', 'when that was before'],
    spoil: mutateAccounting(({ taxes }) => ({
      taxes: (skus, customer, call) => taxes(skus, customer, withoutAbort(call)),
    })),
  },
  {
    mistake: 'goes on writing when its caller has left',
    duty: ['a caller who leaves', 'at whatever question'],
    spoil: mutateAccounting(({ placeOrder, order }) => ({
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
    mistake: 'answers callers at once from one another',
    duty: ['many callers at once', 'as each is alone'],
    spoil: mutatePricing(({ prices }) => {
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
