import type { Price } from '../../../../src/ports/pricing.ts'
import { accounting, deaf, inventory, type Mistake, pricing } from './mutant.ts'

export const spoiltFailures: Mistake[] = [
  {
    mistake: 'takes a failure for an empty answer',
    duty: ['a system that answers 500', 'reject'],
    spoil: pricing(({ prices }) => ({ prices: (...asked) => prices(...asked).catch(() => []) })),
  },
  {
    mistake: 'rejects with errors of its own',
    duty: ['a system that answers a page for people', 'reject'],
    spoil: accounting(({ orders }) => ({
      orders: (...asked) =>
        orders(...asked).catch((cause) => {
          throw new Error('no orders', { cause })
        }),
    })),
  },
  {
    mistake: 'waits on when its caller has left',
    duty: ['a caller who leaves', 'from the first question on'],
    spoil: inventory(({ items }) => ({ items: (skus, parts, call) => items(skus, parts, deaf(call)) })),
  },
  {
    mistake: 'begins though its caller has left before',
    duty: ['a caller who leaves', 'when that was before'],
    spoil: accounting(({ taxes }) => ({ taxes: (skus, customer, call) => taxes(skus, customer, deaf(call)) })),
  },
  {
    mistake: 'goes on writing when its caller has left',
    duty: ['a caller who leaves', 'at whatever question'],
    spoil: accounting(({ placeOrder, order }) => ({
      async placeOrder(draft, call) {
        const there = order(draft.customer_id, { reference: draft.reference }, deaf(call))
        const writing = there.then(() => placeOrder(draft, deaf(call)))
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
    spoil: pricing(({ prices }) => {
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
