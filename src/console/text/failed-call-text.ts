import type { RequestRecord } from '../../diagnostics/reports/request-records.ts'
import { nameSystem } from '../../diagnostics/section-and-system-names.ts'
import { describeCalledOperation } from './called-operation-text.ts'
import { describeFailure } from './failure-kind-text.ts'

type Call = RequestRecord['calls'][number]

/** Outcomes that say nothing of the system. */
const outcomesWithoutFailure: ReadonlySet<Call['outcome']> = new Set(['ok', 'pending', 'aborted'])

/** Returns the calls that a system failed although no section of the response did. */
export const listUnseenFailedCalls = ({ sections, calls }: Pick<RequestRecord, 'sections' | 'calls'>): Call[] =>
  sections.some(({ code }) => code !== null)
    ? []
    : calls.filter(({ outcome, attempts }) => attempts > 0 && !outcomesWithoutFailure.has(outcome))

/** Says which call failed, and how: `Place an order (accounting): no response in 2999 ms`. */
export const describeFailedCall = ({ system, operation, outcome, cause }: Call): string =>
  `${describeCalledOperation(system, operation)} (${nameSystem(system)}): ${describeFailure(cause ?? outcome)}`
