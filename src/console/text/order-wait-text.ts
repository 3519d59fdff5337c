import type { OrderTryRow } from '../../storage/commerce/order-tries.ts'
import { describeLatestAttempt, describeOrderAttempt } from './order-attempt-text.ts'

/** The facts that say whether a pending order waits for a person or for the next attempt. */
export interface OrderWaitFacts {
  /** The latest attempt; `null`: none has ended. */
  lastTry: Pick<OrderTryRow, 'number' | 'outcome' | 'kind'> | null
  /** The number of the attempt that is next or under way. */
  attempts: number
  /** When the next attempt begins, or when one that is under way has got no response. */
  nextAt: string
  /** The merchant has an accounting system. */
  hasAccounting: boolean
}

/** Says in one sentence why a pending order waits, and whether it goes on by itself. */
export function describeOrderWait({ lastTry, attempts, nextAt, hasAccounting }: OrderWaitFacts): string {
  if (!hasAccounting) return 'No attempt can succeed: this merchant has no accounting system in the configuration.'
  if (lastTry === null) return 'The first attempt has not ended yet.'
  if (lastTry.outcome === 'rejected')
    return `Accounting rejects it (${describeOrderAttempt(lastTry)}), so somebody has to act: its page says what to do.`
  const next = lastTry.number === attempts ? `Forecourt tries again at ${nextAt}.` : 'Forecourt is trying again now.'
  return `The latest attempt ${describeLatestAttempt(lastTry)}. ${next}`
}
