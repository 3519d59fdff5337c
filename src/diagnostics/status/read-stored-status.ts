import { listOrderTries, type OrderTryRow } from '../../storage/commerce/order-tries.ts'
import type { Database } from '../../storage/database.ts'
import {
  type BacklogCount,
  countDueDeliveries,
  countPendingOrders,
  listOldestPendingOrders,
  type PendingOrder,
} from '../../storage/diagnostics/backlog-queries.ts'
import { type IncidentNoteRow, listIncidentCare } from '../../storage/diagnostics/incident-notes.ts'
import { type EndedIncident, findLatestEndedIncident } from '../../storage/diagnostics/incident-queries.ts'
import { listOpenIncidents, type OpenIncident } from '../../storage/diagnostics/open-incidents.ts'
import { type FailingChannel, listFailingChannels } from '../../storage/diagnostics/outage-notices.ts'
import {
  countEndpointsByStatus,
  countUnsuccessfulEndpoints,
  type FailingEndpoint,
  listFailingEndpoints,
  listRecentlyFailingEndpoints,
  type RecentlyFailingEndpoint,
  UNSUCCESSFUL_ENDPOINT_MS,
} from '../../storage/diagnostics/webhook-endpoint-queries.ts'
import { listTenantsWithKeys } from '../../storage/keys/api-keys.ts'
import {
  type FailedImport,
  listFailedImports,
  readShownImports,
  type ShownImport,
} from '../../storage/operators/import-status.ts'
import { tenantKey } from '../../tenant.ts'
import { readLiveProcessStates } from './process-heartbeat.ts'
import type { ProcessState } from './process-state.ts'
import { type RefusedKeyStatus, readRefusedKeys } from './read-refused-keys.ts'

/** The part of the current status that is in the store. */
export interface StoredStatus {
  states: ProcessState[]
  incidents: OpenIncident[]
  /** The incident of a system or of the store that ended last, within an hour; `null`: none has. */
  latestIncident: EndedIncident | null
  /** Acknowledgements and assignments of these incidents, by incident. */
  care: ReadonlyMap<string, readonly IncidentNoteRow[]>
  /** Keys that are still used although they are refused. */
  refusedKeys: RefusedKeyStatus[]
  /** Orders that accounting has not confirmed or refused yet. */
  waitingOrders: BacklogSummary & { first: WaitingOrder[] }
  /** `failing`: endpoints with attempts and without a success for 15 minutes, some of which are `named`; `due`: due deliveries, up to 10,000. */
  webhooks: {
    failing: number
    named: FailingEndpoint[]
    /** Endpoints with attempts and without a success for a shorter time; at most 100. */
    recentlyFailing: RecentlyFailingEndpoint[]
    disabled: number
    due: BacklogSummary
  }
  /** Imports of the last day that failed, and were not repeated with success. */
  failedImports: (FailedImport & { shown: ShownImport | null })[]
  /** Channels whose latest message about an outage could not be sent. */
  failingChannels: FailingChannel[]
  /** The keys (`tenantKey`) of tenants with a valid API key: no shop reads the catalog of the others. */
  tenantsWithKeys: ReadonlySet<string>
}

/** A pending order and its latest attempt; `null`: none has ended. */
export interface WaitingOrder {
  order: PendingOrder
  lastTry: OrderTryRow | null
}

export interface BacklogSummary {
  count: number
  /** Time and merchant of the oldest; `null` when the backlog is empty. */
  oldest: { at: number; merchant: string } | null
}

/** Afterwards, a message that could not be sent is only in the list of notifications. */
const CHANNEL_WINDOW_MS = 86_400_000
/** Afterwards, an import that failed is only in the audit log. */
const IMPORT_WINDOW_MS = 86_400_000

export async function readStoredStatus(db: Database, merchants: readonly string[], now: number): Promise<StoredStatus> {
  const incidents = await listOpenIncidents(db)
  const ofServed = createServedFilter(merchants)
  return {
    states: await readLiveProcessStates(db, now),
    incidents,
    latestIncident: await findLatestEndedIncident(db, { merchants, since: iso(now - LATEST_INCIDENT_MS) }),
    care: await listIncidentCare(
      db,
      incidents.map(({ incident_id }) => incident_id),
    ),
    refusedKeys: await readRefusedKeys(db, incidents, now),
    waitingOrders: await readWaitingOrders(db, merchants, ofServed),
    webhooks: await readWebhookStatus(db, merchants, now),
    failedImports: await readFailedImports(db, ofServed, now),
    failingChannels: await listFailingChannels(db, iso(now - CHANNEL_WINDOW_MS)),
    tenantsWithKeys: new Set((await listTenantsWithKeys(db, iso(now))).map(tenantKey)),
  }
}

/** Afterwards, an incident is only in the list. */
const LATEST_INCIDENT_MS = 3_600_000

type ServedFilter = <Row extends { tenant_id: string }>(rows: readonly Row[]) => Row[]

const createServedFilter =
  (merchants: readonly string[]): ServedFilter =>
  (rows) =>
    rows.filter(({ tenant_id }) => merchants.includes(tenant_id))

/** Pages name as many of the failing endpoints. */
const MAX_NAMED_ENDPOINTS = 5
const MAX_RECENT_ENDPOINTS = 100

/** Pages name as many of the waiting orders. */
const MAX_NAMED_ORDERS = 5

async function readWaitingOrders(
  db: Database,
  merchants: readonly string[],
  ofServed: ServedFilter,
): Promise<StoredStatus['waitingOrders']> {
  const summary = summarizeBacklog(ofServed(await countPendingOrders(db)))
  if (summary.count === 0) return { ...summary, first: [] }
  const orders = await listOldestPendingOrders(db, merchants, MAX_NAMED_ORDERS)
  const first = orders.map(async (order) => ({
    order,
    lastTry: (await listOrderTries(db, order.order_id)).at(-1) ?? null,
  }))
  return { ...summary, first: await Promise.all(first) }
}

async function readFailedImports(
  db: Database,
  ofServed: ServedFilter,
  now: number,
): Promise<StoredStatus['failedImports']> {
  const failed = ofServed(await listFailedImports(db, iso(now - IMPORT_WINDOW_MS)))
  if (failed.length === 0) return []
  const findShownImport = await readShownImports(db)
  return failed.map((one) => ({
    ...one,
    shown: findShownImport(one.action, { merchant: one.tenant_id, mode: one.mode }),
  }))
}

async function readWebhookStatus(
  db: Database,
  merchants: readonly string[],
  now: number,
): Promise<StoredStatus['webhooks']> {
  const ofServed = createServedFilter(merchants)
  const since = iso(now - UNSUCCESSFUL_ENDPOINT_MS)
  const due = summarizeBacklog(ofServed(await countDueDeliveries(db, iso(now))))
  const endpoints = ofServed(await countEndpointsByStatus(db))
  const failing = sumCounts(ofServed(await countUnsuccessfulEndpoints(db, since)))
  return {
    failing,
    named: failing === 0 ? [] : await listFailingEndpoints(db, merchants, since, MAX_NAMED_ENDPOINTS),
    recentlyFailing: await listRecentlyFailingEndpoints(db, merchants, since, MAX_RECENT_ENDPOINTS),
    disabled: sumCounts(endpoints.filter(({ status }) => status === 'DISABLED')),
    due,
  }
}

const sumCounts = (rows: readonly { count: number }[]) => rows.reduce((sum, { count }) => sum + count, 0)

const iso = (ms: number) => new Date(ms).toISOString()

/** Adds up the backlogs of several merchants. */
function summarizeBacklog(backlogs: readonly BacklogCount[]): BacklogSummary {
  const count = backlogs.reduce((sum, backlog) => sum + backlog.count, 0)
  const [oldest] = backlogs.toSorted((a, b) => Date.parse(a.oldestAt) - Date.parse(b.oldestAt))
  return { count, oldest: oldest ? { at: Date.parse(oldest.oldestAt), merchant: oldest.tenant_id } : null }
}
