import type { Mode } from '../config/config.ts'
import type { Database } from '../storage/database.ts'
import type { BacklogCount } from '../storage/diagnostics/store-counts.ts'
import type { Metrics } from './metrics.ts'
import { createStoreSnapshotReader, type StoreSnapshot } from './store-snapshot.ts'

const OWNER = ['merchant', 'mode'] as const
const statuses = ['ACTIVE', 'FAILING', 'DISABLED'] as const
const modes: readonly Mode[] = ['live', 'sandbox']

/** What waits in the store. All processes on a store tell the same: take the greatest, not the sum. While it is away these have no value. */
export function registerStoreMetrics(
  metrics: Metrics,
  { db, merchants, now }: { db: Database; merchants: readonly string[]; now: () => number },
): void {
  const sight = createStoreSnapshotReader(db, now)
  const owners = merchants.flatMap((merchant) => modes.map((mode) => ({ merchant, mode })))
  const owned = (name: string, help: string, read: (sight: StoreSnapshot, owner: Owner) => number) =>
    metrics.gauges(name, help, OWNER, async () => {
      const seen = await sight()
      return seen ? owners.map((labels) => ({ labels, value: read(seen, labels) })) : []
    })
  const ageOf = (waiting: BacklogCount | undefined) =>
    waiting ? Math.max(0, now() - Date.parse(waiting.oldestAt)) / 1_000 : 0

  metrics.gauge('forecourt_store_up', 'Whether the store answers, and within a second', async () =>
    Number((await sight()) !== null),
  )
  owned(
    'forecourt_orders_waiting',
    'Orders that the ledger has not answered for, up to 10,000',
    ({ orders }, owner) => of(orders, owner)?.count ?? 0,
  )
  owned('forecourt_orders_waiting_oldest_seconds', 'Age of the oldest of them', ({ orders }, owner) =>
    ageOf(of(orders, owner)),
  )
  owned(
    'forecourt_webhook_backlog',
    'Deliveries that are due, up to 10,000',
    ({ deliveries }, owner) => of(deliveries, owner)?.count ?? 0,
  )
  owned(
    'forecourt_webhook_oldest_due_seconds',
    'For how long the oldest of them has been due',
    ({ deliveries }, owner) => ageOf(of(deliveries, owner)),
  )
  metrics.gauges('forecourt_webhook_endpoints', 'Webhook endpoints, by status', [...OWNER, 'status'], async () => {
    const seen = await sight()
    if (!seen) return []
    return owners.flatMap((owner) =>
      statuses.map((status) => {
        const row = seen.endpoints.find((one) => isOf(owner)(one) && one.status === status)
        return { labels: { ...owner, status }, value: row?.count ?? 0 }
      }),
    )
  })
  metrics.gauges('forecourt_incidents_open', 'Incidents that go on', [...OWNER, 'system'], async () =>
    // A merchant who is no longer configured is not told of.
    ((await sight())?.incidents ?? [])
      .filter(({ tenant_id }) => merchants.includes(tenant_id))
      .map(({ tenant_id, mode, system, count }) => ({ labels: { merchant: tenant_id, mode, system }, value: count })),
  )
}

interface Owner {
  merchant: string
  mode: Mode
}

const isOf =
  ({ merchant, mode }: Owner) =>
  (row: { tenant_id: string; mode: Mode }) =>
    row.tenant_id === merchant && row.mode === mode

const of = (rows: readonly BacklogCount[], owner: Owner) => rows.find(isOf(owner))
