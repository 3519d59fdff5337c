import type { Database } from '../storage/database.ts'
import type { BacklogCount } from '../storage/diagnostics/backlog-queries.ts'
import type { StoreMonitor } from '../storage/store-monitor.ts'
import type { TenantColumns } from '../storage/tenant-columns.ts'
import { modes, type Tenant } from '../tenant.ts'
import type { Metrics } from './metrics.ts'
import { createStoreBacklogReader, type StoreBacklog } from './store-backlog.ts'

const TENANT_LABELS = ['merchant', 'mode'] as const
/** All workers read the same store. */
const SHARED = { isShared: true }
const statuses = ['ACTIVE', 'FAILING', 'DISABLED'] as const

export interface StoreMetricsParts {
  db: Database
  store: Pick<StoreMonitor, 'outage'>
  merchants: readonly string[]
  /** Ids of the channels that are notified of outages. */
  channels: readonly string[]
  now: () => number
}

/** Registers the metrics of the work that waits in the store. All processes on a store report the same: take the maximum, not the sum. While it is unreachable they have no value. */
export function registerStoreMetrics(
  metrics: Metrics,
  { db, store, merchants, channels, now }: StoreMetricsParts,
): void {
  const readBacklog = createStoreBacklogReader(db, now)
  const tenants = merchants.flatMap((merchant) => modes.map((mode) => ({ merchant, mode })))
  const perTenant = (name: string, help: string, read: (backlog: StoreBacklog, tenant: Tenant) => number) =>
    metrics.gauges(
      name,
      help,
      TENANT_LABELS,
      async () => {
        const backlog = await readBacklog()
        return backlog ? tenants.map((labels) => ({ labels, value: read(backlog, labels) })) : []
      },
      SHARED,
    )
  const ageOf = (backlog: BacklogCount | undefined) =>
    backlog ? Math.max(0, now() - Date.parse(backlog.oldestAt)) / 1_000 : 0

  metrics.gauge(
    'forecourt_store_up',
    '1 if the store responds within a second and can be written, otherwise 0',
    async () => Number((await readBacklog()) !== null && store.outage === null),
  )
  perTenant(
    'forecourt_orders_waiting',
    'Orders that accounting has neither confirmed nor refused, counted up to 10,000',
    ({ orders }, tenant) => findBacklog(orders, tenant)?.count ?? 0,
  )
  perTenant(
    'forecourt_orders_waiting_oldest_seconds',
    'Age of the oldest waiting order, in seconds',
    ({ orders }, tenant) => ageOf(findBacklog(orders, tenant)),
  )
  perTenant(
    'forecourt_webhook_backlog',
    'Webhook deliveries that are due, counted up to 10,000',
    ({ deliveries }, tenant) => findBacklog(deliveries, tenant)?.count ?? 0,
  )
  perTenant(
    'forecourt_webhook_oldest_due_seconds',
    'Seconds since the oldest due delivery became due',
    ({ deliveries }, tenant) => ageOf(findBacklog(deliveries, tenant)),
  )
  perTenant(
    'forecourt_webhook_endpoints_unsuccessful',
    'Webhook endpoints with attempts and without a success for 15 minutes or longer',
    ({ unsuccessful }, tenant) => unsuccessful.find(isOf(tenant))?.count ?? 0,
  )
  metrics.gauges(
    'forecourt_webhook_endpoints',
    'Webhook endpoints, by merchant, mode and status',
    [...TENANT_LABELS, 'status'],
    async () => {
      const backlog = await readBacklog()
      if (!backlog) return []
      return tenants.flatMap((tenant) =>
        statuses.map((status) => {
          const row = backlog.endpoints.find((endpoint) => isOf(tenant)(endpoint) && endpoint.status === status)
          return { labels: { ...tenant, status }, value: row?.count ?? 0 }
        }),
      )
    },
    SHARED,
  )
  metrics.gauges(
    'forecourt_notification_channel_failing',
    '1 if the latest message of the last hour to a channel of notifications could not be sent, otherwise 0',
    ['channel'],
    async () => {
      const backlog = await readBacklog()
      if (!backlog) return []
      const failing = new Set(backlog.failingChannels.map(({ channel }) => channel))
      return channels.map((channel) => ({ labels: { channel }, value: Number(failing.has(channel)) }))
    },
    SHARED,
  )
  metrics.gauges(
    'forecourt_incidents_open',
    'Open incidents, by merchant, mode and system',
    [...TENANT_LABELS, 'system'],
    async () =>
      // Merchants that are no longer configured are left out.
      ((await readBacklog())?.incidents ?? [])
        .filter(({ tenant_id }) => merchants.includes(tenant_id))
        .map(({ tenant_id, mode, system, count }) => ({ labels: { merchant: tenant_id, mode, system }, value: count })),
    SHARED,
  )
}

const isOf =
  ({ merchant, mode }: Tenant) =>
  (row: TenantColumns) =>
    row.tenant_id === merchant && row.mode === mode

const findBacklog = (rows: readonly BacklogCount[], tenant: Tenant) => rows.find(isOf(tenant))
