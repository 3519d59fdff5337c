import type { CurrentStatus } from '../../../diagnostics/status/current-status.ts'
import type { BacklogSummary, WaitingOrder } from '../../../diagnostics/status/read-stored-status.ts'
import type { FailingEndpoint, RecentlyFailingEndpoint } from '../../../storage/diagnostics/webhook-endpoint-queries.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { toAuditEntryPath, toOrderPath } from '../../page-paths.ts'
import { describeAuditAction } from '../../text/audit-action-text.ts'
import { describeShownImport } from '../../text/failed-import-text.ts'
import { formatCount, formatNumber, pluralize } from '../../text/format-numbers.ts'
import type { DisplayTime } from '../../text/format-times.ts'
import { describeOrderWait } from '../../text/order-wait-text.ts'
import { callAboutMerchant, type WhomToCall } from '../../whom-to-call.ts'
import { toImportReader, toWhomToCall } from '../failed-import-view.ts'
import { redactEndpointUrl } from '../redact-endpoint-url.ts'

export interface BacklogView {
  /** When it was read, if the store has not answered since; `null`: just now. */
  asOf: DisplayTime | null
  pendingOrders: {
    count: string
    noun: string
    oldest: DisplayTime | null
    /** The oldest ones. */
    orders: WaitingOrderView[]
    /** How many are not among these; empty: none. */
    otherCount: string
  } | null
  webhooks: {
    failing: number
    failingNoun: string
    /** Some of those that fail. */
    endpoints: FailingEndpointView[]
    /** Those that have failed for a shorter time; `null`: none. */
    recent: { count: string; noun: string; endpoints: RecentlyFailingEndpointView[] } | null
    disabled: number
    due: string
    dueNoun: string
    oldest: DisplayTime | null
  }
  failedImports: FailedImportRowView[]
}

export interface FailingEndpointView {
  url: string
  href: string
  merchantName: string
  mode: string
  since: DisplayTime
  whom: WhomToCall
}

export interface RecentlyFailingEndpointView extends FailingEndpointView {
  /** How often it has failed in a row. */
  failures: string
}

export interface FailedImportRowView {
  name: string
  href: string
  merchantName: string
  mode: string
  at: DisplayTime
  /** What shoppers see. */
  seen: string
  whom: WhomToCall[]
}

export interface WaitingOrderView {
  id: string
  href: string
  merchantName: string
  mode: string
  since: DisplayTime
  /** Why it waits, and whether it goes on by itself. */
  text: string
}

const MAX_NAMED_ENDPOINTS = 5

function toRecentlyFailingView(endpoints: readonly RecentlyFailingEndpoint[], merchants: MerchantDirectory) {
  if (endpoints.length === 0) return null
  return {
    count: formatNumber(endpoints.length),
    noun: pluralize(endpoints.length, 'endpoint has', 'endpoints have'),
    endpoints: endpoints.slice(0, MAX_NAMED_ENDPOINTS).map((endpoint) => ({
      ...toFailingEndpointView(endpoint, merchants),
      failures: formatCount(endpoint.consecutive_failures, 'time'),
    })),
  }
}

const toFailingEndpointView = (
  { subscription_id, tenant_id, mode, endpoint_url, failing_since }: FailingEndpoint,
  merchants: MerchantDirectory,
): FailingEndpointView => ({
  url: redactEndpointUrl(endpoint_url),
  href: `/webhooks/${subscription_id}`,
  merchantName: merchants.name(tenant_id),
  mode,
  since: merchants.time(failing_since!, tenant_id),
  whom: callAboutMerchant(merchants, tenant_id),
})

/** Returns the orders and deliveries that wait; `null` when they are unknown. */
export function toBacklogView(status: CurrentStatus, merchants: MerchantDirectory): BacklogView | null {
  const { backlog, storedAt } = status
  if (backlog === null) return null
  const { waitingOrders, webhooks, failedImports } = backlog
  const toOldestTime = ({ oldest }: BacklogSummary) => oldest && merchants.time(oldest.at, oldest.merchant)
  return {
    asOf: storedAt === null ? null : merchants.time(storedAt, null),
    pendingOrders:
      waitingOrders.count === 0
        ? null
        : {
            count: formatNumber(waitingOrders.count),
            noun: pluralize(waitingOrders.count, 'order'),
            oldest: toOldestTime(waitingOrders),
            orders: waitingOrders.first.map((waiting) => toWaitingOrderView(waiting, status, merchants)),
            otherCount: formatOthers(waitingOrders.count - waitingOrders.first.length),
          },
    webhooks: {
      failing: webhooks.failing,
      failingNoun: pluralize(webhooks.failing, 'endpoint'),
      endpoints: webhooks.named.map((endpoint) => toFailingEndpointView(endpoint, merchants)),
      recent: toRecentlyFailingView(webhooks.recentlyFailing, merchants),
      disabled: webhooks.disabled,
      due: formatNumber(webhooks.due.count),
      dueNoun: pluralize(webhooks.due.count, 'delivery is', 'deliveries are'),
      oldest: toOldestTime(webhooks.due),
    },
    failedImports: failedImports.map(({ entry_id, action, at, tenant_id, mode, shown }) => ({
      name: describeAuditAction(action),
      href: toAuditEntryPath(action, entry_id),
      merchantName: merchants.name(tenant_id),
      mode,
      at: merchants.time(at, tenant_id),
      seen: describeShownImport(action, shown, toImportReader({ merchant: tenant_id, mode }, merchants), (time) =>
        merchants.time(time, tenant_id),
      ),
      whom: toWhomToCall(tenant_id, merchants),
    })),
  }
}

const formatOthers = (count: number) => (count > 0 ? formatNumber(count) : '')

function toWaitingOrderView(
  { order, lastTry }: WaitingOrder,
  { merchants: tenants }: CurrentStatus,
  merchants: MerchantDirectory,
): WaitingOrderView {
  const { order_id, tenant_id, mode, created_at, leased_until, attempts } = order
  const systems = tenants.find((tenant) => tenant.merchant === tenant_id && tenant.mode === mode)?.systems ?? []
  return {
    id: order_id,
    href: toOrderPath(order_id),
    merchantName: merchants.name(tenant_id),
    mode,
    since: merchants.time(created_at, tenant_id),
    text: describeOrderWait({
      lastTry,
      attempts,
      nextAt: merchants.time(leased_until, tenant_id).text,
      hasAccounting: systems.some(({ system }) => system === 'accounting'),
    }),
  }
}
