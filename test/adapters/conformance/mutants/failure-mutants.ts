import { UpstreamError, type UpstreamFailure } from '../../../../src/errors.ts'
import type { Operation } from '../operations.ts'
import { changeFailure, changeMethod } from './change-port.ts'
import type { Mutant } from './mutant.ts'

/** Returns an adapter of which one operation fails in another way than the requirement says. */
function misread(
  fault: string,
  mistake: string,
  operation: Operation,
  change: (error: UpstreamError) => unknown,
): Mutant {
  return {
    mistake,
    requirement: [fault, 'reject'],
    mutate: changeFailure(operation, change as () => never),
    operations: [operation],
  }
}

const as = (failure: UpstreamFailure) => (error: UpstreamError) => {
  throw new UpstreamError(failure, error.message)
}
/** Returns the result if the failure has this text, and fails otherwise. */
const instead = (text: RegExp, result: unknown) => (error: UpstreamError) => {
  if (text.test(error.message)) return result
  throw error
}
const emptyPage = { items: [], total: 0, has_more: false }

export const failureMutants: Mutant[] = [
  misread(
    'a system that breaks the connection',
    'does not allow a retry after a broken connection',
    'accounting.orders',
    as('unavailable'),
  ),
  misread('a system that answers 500', 'takes a failure for an empty list', 'pricing.prices', () => []),
  misread(
    'a system that answers 500 without a reason',
    'looks for the reason of a 500 without one',
    'accounting.cancelOrder',
    (error) => {
      if (error.reply) JSON.parse(error.reply.text)
      throw error
    },
  ),
  misread('a system that answers 502', 'does not allow a retry after a 502', 'inventory.categories', as('error')),
  misread(
    'a system that answers 503',
    'forgets when it may call the system again',
    'inventory.search',
    ({ failure, message }) => {
      throw new UpstreamError(failure, message, { retryable: true })
    },
  ),
  misread('a system that answers 429', 'takes a rate limit for a refusal', 'accounting.taxes', as('rejected')),
  misread(
    'a system that answers nothing',
    'takes an empty response for an empty list',
    'inventory.tags',
    instead(/^not JSON: $/, []),
  ),
  misread(
    'a system that answers no JSON',
    'takes a stack trace for a failure of the system',
    'accounting.credit',
    as('error'),
  ),
  misread(
    'a system that answers half of a JSON document',
    'takes half a response for the last page',
    'pricing.priceChanges',
    instead(/^not JSON: \{"data/, { changes: [], has_more: false }),
  ),
  misread('a system that answers an HTML page', 'rejects with errors of its own', 'accounting.orders', (cause) => {
    throw new Error('no orders', { cause })
  }),
  misread(
    'a system that answers JSON of another shape',
    'takes another shape for an unknown customer',
    'accounting.customer',
    instead(/^unexpected response/, null),
  ),
  misread(
    'a system that answers a number',
    'takes a number for an unknown invoice',
    'accounting.invoice',
    instead(/^unexpected response/, null),
  ),
  misread(
    'a system that answers too much',
    'asks again for a response that is too large',
    'fitment.vehicleFacet',
    ({ message }) => {
      throw new UpstreamError('unavailable', message, { retryable: true })
    },
  ),
  misread(
    'a system that answers 302',
    'takes a redirect for a missing document',
    'accounting.invoiceDocument',
    instead(/responded 302/, null),
  ),
  misread(
    'a system that answers 400',
    'takes a rejected request for a missing order',
    'accounting.order',
    instead(/responded 400/, null),
  ),
  misread(
    'a system that answers 403',
    'takes a missing right for an expired credential',
    'accounting.placeOrder',
    as('unauthorized'),
  ),
  misread(
    'a system that answers 401',
    'takes an expired credential for a rejected request',
    'pricing.prices',
    as('rejected'),
  ),
  {
    mistake: 'takes a system that is down for one that responds with errors',
    requirement: ['a system that is down', 'unavailable'],
    mutate: changeFailure('inventory.vehicleItems', as('invalid')),
    operations: ['inventory.vehicleItems'],
  },
  {
    mistake: 'does not recover from a failure',
    requirement: ['a system that starts to fail', 'recovers'],
    mutate: changeMethod('accounting.findCustomer', (findCustomer) => {
      let failed: Promise<never> | undefined
      return (email, call) =>
        failed ??
        findCustomer(email, call).catch((error) => {
          failed = Promise.reject(error)
          return failed
        })
    }),
    operations: ['accounting.findCustomer'],
  },
  {
    mistake: 'takes half of a later response for an empty page',
    requirement: ['a system that starts to fail', 'first and last exchange'],
    mutate: changeFailure('inventory.search', (error) => {
      if (/^ECONNRESET|^UND_ERR_SOCKET/.test(error.message)) return emptyPage
      throw error
    }),
    operations: ['inventory.search'],
  },
]
