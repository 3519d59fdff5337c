import type { Database } from '../../storage/database.ts'
import type { DeliverySummary } from '../../storage/webhooks/deliveries.ts'
import { findEventRows } from '../../storage/webhooks/events.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { formatCount, formatNumber } from '../text/format-numbers.ts'
import { describeAttempt } from '../text/webhook-attempt-text.ts'
import { callAboutForecourt, type WhomToCall } from '../whom-to-call.ts'

/** The events of an endpoint that are not delivered yet. */
export interface WaitingDeliveriesView {
  /** `3 events wait`; empty: none. */
  count: string
  /** What they are about. */
  subjects: string
  /** How the endpoint responded last. */
  problem: string
  /** Forecourt has not sent one although it is due. */
  isOverdue: boolean
  whom: WhomToCall
}

const MAX_SUBJECTS = 10

/** Reads it from the newest deliveries of an endpoint. */
export async function readWaitingDeliveries(
  { db, merchants }: { db: Database; merchants: MerchantDirectory },
  deliveries: readonly (DeliverySummary & { isOverdue: boolean })[],
  hasMore: boolean,
): Promise<WaitingDeliveriesView> {
  const waiting = deliveries.filter(({ status }) => status === 'PENDING')
  const failed = waiting.find(({ attempts }) => attempts > 0)
  const count = formatCount(waiting.length, 'event waits', 'events wait')
  return {
    count: waiting.length === 0 ? '' : hasMore ? `At least ${count}` : count,
    subjects: await describeSubjects(db, waiting),
    problem: failed ? describeProblem(failed) : '',
    isOverdue: waiting.some(({ isOverdue }) => isOverdue),
    whom: callAboutForecourt(merchants),
  }
}

/** Names the oldest first. */
async function describeSubjects(db: Database, waiting: readonly DeliverySummary[]): Promise<string> {
  const oldest = waiting.toReversed().slice(0, MAX_SUBJECTS)
  const ids = oldest.map(({ event_id }) => event_id)
  const events = new Map((await findEventRows(db, ids)).map((event) => [event.event_id, event]))
  const names = oldest.map(({ event_id, event_type }) => {
    const id = events.get(event_id)?.resource_id
    return id === undefined ? event_type : `${event_type} of ${id}`
  })
  const others = waiting.length - oldest.length
  return [...names, ...(others > 0 ? [`${formatNumber(others)} more`] : [])].join(', ')
}

/** What was wrong with an attempt without a response is on its own page. */
function describeProblem({ response_status }: DeliverySummary): string {
  if (response_status === null) return 'it does not respond'
  const what = describeAttempt({ response_status, error: null } as Parameters<typeof describeAttempt>[0])
  return `it responds with status ${response_status}. ${what}`
}
