import type { OrderTryRow } from '../../storage/commerce/order-tries.ts'
import { capitalizeFailure, describeFailure } from './failure-kind-text.ts'
import { formatCount, formatNumber } from './format-numbers.ts'

type FailedTry = Pick<OrderTryRow, 'outcome' | 'kind'>

const outcomesWithoutCall: ReadonlySet<OrderTryRow['outcome']> = new Set(['circuit_open', 'maintenance', 'overloaded'])

/** An attempt without a call says nothing new of accounting: calls are paused, or accounting is in planned maintenance or has too many calls. */
export const isWithoutCall = ({ outcome }: Pick<OrderTryRow, 'outcome'>): boolean => outcomesWithoutCall.has(outcome)

/** Returns how an attempt to place an order failed, within a sentence. */
export const describeOrderAttempt = ({ outcome, kind }: FailedTry): string =>
  outcome === 'circuit_open'
    ? `no call was made, because of earlier failures: ${kind}`
    : describeFailure(toPlainKind(kind))

/** Returns how an attempt failed, as the beginning of a sentence. */
export const capitalizeOrderAttempt = (row: FailedTry): string => capitalizeFailure(describeOrderAttempt(row))

/** The reasons of refusals are constants: `ENDED_BY_OPERATOR`. */
const toPlainKind = (kind: string) => (/^[A-Z_]+$/.test(kind) ? kind.toLowerCase().replaceAll('_', ' ') : kind)

/** Says of the latest attempt that it failed, or that it made no call, and why. */
export const describeLatestAttempt = (lastTry: FailedTry): string =>
  lastTry.outcome === 'circuit_open'
    ? `made no call, because of earlier failures: ${describeFailure(lastTry.kind)}`
    : `${isWithoutCall(lastTry) ? 'made no call' : 'failed'} (${describeOrderAttempt(lastTry)})`

/** Counts attempts without success. Only some attempts of many are kept. */
export function countFailedAttempts(tries: readonly Pick<OrderTryRow, 'number' | 'outcome'>[]): string {
  const count = (tries.at(-1)?.number ?? -1) + 1
  const unsent = tries.filter(isWithoutCall)
  if (unsent.length === 0) return `${formatCount(count, 'attempt')} failed`
  const isPaused = unsent.every(({ outcome }) => outcome === 'circuit_open')
  if (count > tries.length)
    return `${formatCount(count, 'attempt')} failed, or made no call${isPaused ? ' because calls were paused' : ''}`
  const sent = count - unsent.length
  const paused = `${formatNumber(unsent.length)} made no call${isPaused ? ', because calls were paused' : ''}`
  return sent === 0
    ? `${formatCount(count, 'attempt')}: ${paused}`
    : `${formatCount(sent, 'attempt')} failed, and ${paused}`
}
