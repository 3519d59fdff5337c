import type { CurrentStatus } from '../../diagnostics/status/current-status.ts'
import type { BacklogSummary } from '../../diagnostics/status/stored-status.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { formatNumber, pluralize } from '../text/format-numbers.ts'
import type { DisplayTime } from '../text/format-times.ts'

export interface BacklogView {
  /** When it was read, if the store has not answered since; `null`: just now. */
  asOf: DisplayTime | null
  pendingOrders: { count: string; oldest: DisplayTime | null } | null
  webhooks: {
    failing: number
    failingNoun: string
    disabled: number
    due: string
    dueNoun: string
    oldest: DisplayTime | null
  }
}

/** Returns the orders and deliveries that wait; `null` when they are unknown. */
export function toBacklogView({ backlog, storedAt }: CurrentStatus, merchants: MerchantDirectory): BacklogView | null {
  if (backlog === null) return null
  const { waitingOrders, webhooks } = backlog
  const toOldestTime = ({ oldest }: BacklogSummary) => oldest && merchants.time(oldest.at, oldest.merchant)
  return {
    asOf: storedAt === null ? null : merchants.time(storedAt, null),
    pendingOrders:
      waitingOrders.count === 0
        ? null
        : { count: formatNumber(waitingOrders.count), oldest: toOldestTime(waitingOrders) },
    webhooks: {
      failing: webhooks.failing,
      failingNoun: pluralize(webhooks.failing, 'endpoint'),
      disabled: webhooks.disabled,
      due: formatNumber(webhooks.due.count),
      dueNoun: pluralize(webhooks.due.count, 'delivery is', 'deliveries are'),
      oldest: toOldestTime(webhooks.due),
    },
  }
}
