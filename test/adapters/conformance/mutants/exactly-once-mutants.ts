import type { PlaceOrderResult } from '../../../../src/ports/order.ts'
import { anotherReference } from './another-reference.ts'
import { changeMethod } from './change-port.ts'
import { mutantsOf } from './mutant.ts'

/** Uses another reference after an attempt without a result. */
const forgetAttempts = changeMethod('accounting.placeOrder', (placeOrder) => {
  return async (draft, call) => {
    const reference = attempts.has(draft.reference) ? anotherReference(draft.reference) : draft.reference
    attempts.add(draft.reference)
    const result = await placeOrder({ ...draft, reference }, call)
    if (reference === draft.reference) attempts.delete(reference)
    return result
  }
})
/** References whose first attempt had no result. All connections of an adapter know them. */
const attempts = new Set<string>()

export const exactlyOnceMutants = mutantsOf(
  'accounting.placeOrder',
  [
    'creates an order per attempt',
    'eight parallel attempts',
    changeMethod(
      'accounting.placeOrder',
      (placeOrder) => (draft, call) => placeOrder({ ...draft, reference: anotherReference(draft.reference) }, call),
    ),
  ],
  [
    'retries under another reference when a response is lost',
    'one order, whichever response is lost',
    changeMethod(
      'accounting.placeOrder',
      (placeOrder) => (draft, call) =>
        placeOrder(draft, call).catch(() =>
          placeOrder({ ...draft, reference: anotherReference(draft.reference) }, call),
        ),
    ),
  ],
  ['takes an attempt without a result for one that never arrives', 'whichever request arrives late', forgetAttempts],
  [
    'forgets its refusals',
    'even when they are corrected',
    changeMethod('accounting.placeOrder', (placeOrder) => async (draft, call) => {
      const result = await placeOrder(draft, call)
      return result.state === 'placed'
        ? result
        : placeOrder({ ...draft, reference: anotherReference(draft.reference) }, call)
    }),
  ],
  ['forgets a refusal of which the response is lost', 'whichever answer is lost on the way', forgetAttempts],
  [
    'refuses another draft with the reference of an order',
    'goes by the reference alone',
    changeMethod('accounting.placeOrder', (placeOrder) => {
      const drafts = new Map<string, string>()
      return async (draft, call): Promise<PlaceOrderResult> => {
        const text = JSON.stringify(draft)
        const first = drafts.get(draft.reference) ?? text
        drafts.set(draft.reference, first)
        return first === text
          ? placeOrder(draft, call)
          : { state: 'refused', reason: 'TOTALS_DISAGREE', skus: [], available_credit: null }
      }
    }),
  ],
  [
    'returns an order to everyone who uses its reference',
    'shows no customer the order of another',
    changeMethod('accounting.placeOrder', (placeOrder, { accounting }) => async (draft, call) => {
      const order = await accounting.order('C-1001', { reference: draft.reference }, call)
      return order ? { state: 'placed', order } : placeOrder(draft, call)
    }),
  ],
)
