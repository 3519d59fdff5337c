import type { OrderTryRow } from '../../storage/commerce/order-tries.ts'
import { capitalizeFailure, describeFailure } from './failure-kind-text.ts'

type FailedTry = Pick<OrderTryRow, 'outcome' | 'kind'>

/** Returns how an attempt to place an order failed, within a sentence. */
export const describeOrderAttempt = ({ outcome, kind }: FailedTry): string =>
  outcome === 'circuit_open'
    ? `no call was made, because of earlier failures: ${kind}`
    : describeFailure(toPlainKind(kind))

/** Returns how an attempt failed, as the beginning of a sentence. */
export const capitalizeOrderAttempt = (row: FailedTry): string => capitalizeFailure(describeOrderAttempt(row))

/** The reasons of refusals are constants: `ENDED_BY_OPERATOR`. */
const toPlainKind = (kind: string) => (/^[A-Z_]+$/.test(kind) ? kind.toLowerCase().replaceAll('_', ' ') : kind)

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
  const failure = describeOrderAttempt(lastTry)
  if (lastTry.outcome === 'rejected')
    return `Accounting rejects it (${failure}), so somebody has to act: its page says what to do.`
  return lastTry.number === attempts
    ? `The latest attempt failed (${failure}). Forecourt tries again at ${nextAt}.`
    : `The latest attempt failed (${failure}). Forecourt is trying again now.`
}
