import type { MerchantConfig } from '../../config/config.ts'
import type { Database } from '../../storage/database.ts'
import {
  type BacklogCount,
  countDueDeliveries,
  countEndpointsByStatus,
  countFailingEndpoints,
  countPendingOrders,
} from '../../storage/diagnostics/backlog-counts.ts'
import { listOpenIncidents, type OpenIncident } from '../../storage/diagnostics/end-incidents.ts'
import { isStoreUnavailable } from '../../storage/store-errors.ts'
import type { StoreMonitor, StoreOutage } from '../../storage/store-monitor.ts'
import { type Mode, modes, tenantKey } from '../../tenant.ts'
import { mergeProcessStates } from './merge-process-states.ts'
import { readLiveProcessStates } from './process-heartbeat.ts'
import type { ProcessState } from './process-state.ts'
import { type RefusedKeyStatus, readRefusedKeys } from './read-refused-keys.ts'
import { type CircuitStatus, type SystemStatus, toSystemStatuses } from './system-status.ts'

export interface CurrentStatusParts {
  db: Database
  store: Pick<StoreMonitor, 'outage'>
  upstreams: { states(): CircuitStatus[] }
  merchants: readonly Pick<MerchantConfig, 'merchant' | 'name'>[]
  /** The state of this process. */
  ownState: ProcessState
  now: number
}

/** The state of all tenants in the last minute, over all processes. */
export interface CurrentStatus {
  /** Milliseconds since the epoch, like all members that end in `At`. */
  at: number
  /** Number of processes with a heartbeat in the last ten seconds, including this one. */
  processes: number
  /** `null`: this process can use the store. */
  storeOutage: StoreOutage | null
  /** Sorted by merchant, `live` first. */
  merchants: TenantStatus[]
  /** Keys that are still used although they are refused. */
  refusedKeys: RefusedKeyStatus[]
  /** Orders that accounting has not confirmed or refused yet. */
  waitingOrders: BacklogSummary
  /** `struggling`: endpoints that are not FAILING yet, but whose attempts of the last minutes all failed; `due`: due deliveries, up to 10,000. */
  webhooks: { failing: number; struggling: number; disabled: number; due: BacklogSummary }
}

export interface BacklogSummary {
  count: number
  /** Time and merchant of the oldest; `null` when the backlog is empty. */
  oldest: { at: number; merchant: string } | null
}

export interface TenantStatus {
  merchant: string
  name: string
  mode: Mode
  answers: number
  /** 0..1; `null` without requests. */
  completeShare: number | null
  systems: SystemStatus[]
}

/** Reads the current status from the heartbeats of all processes and from the store. Without the store it is that of this process. */
export async function readCurrentStatus(parts: CurrentStatusParts): Promise<CurrentStatus> {
  const { db, store, upstreams, merchants, ownState, now } = parts
  const stored = await readStoredStatus(db, now).catch((error: unknown) => {
    if (store.outage && isStoreUnavailable(error)) return nothingStored
    throw error
  })
  const { incidents, refusedKeys, waitingOrders, webhooks } = stored
  const states = [ownState, ...stored.states.filter(({ process }) => process !== ownState.process)]
  const stateByTenant = mergeProcessStates(states)
  const circuits = upstreams.states()
  const tenants = merchants.flatMap(({ merchant, name }) =>
    modes.map((mode): TenantStatus => {
      const input = {
        state: stateByTenant.get(tenantKey({ merchant, mode })),
        circuits: circuits.filter((circuit) => circuit.merchant === merchant && circuit.mode === mode),
        incidents: incidents.filter((incident) => incident.tenant_id === merchant && incident.mode === mode),
      }
      const { answers, degraded } = input.state ?? { answers: 0, degraded: 0 }
      const completeShare = answers === 0 ? null : (answers - degraded) / answers
      return { merchant, name, mode, answers, completeShare, systems: toSystemStatuses(input, now) }
    }),
  )
  return {
    at: now,
    processes: states.length,
    storeOutage: store.outage,
    merchants: tenants,
    refusedKeys,
    waitingOrders,
    webhooks,
  }
}

type StoredStatus = Pick<CurrentStatus, 'refusedKeys' | 'waitingOrders' | 'webhooks'> & {
  states: ProcessState[]
  incidents: OpenIncident[]
}

async function readStoredStatus(db: Database, now: number): Promise<StoredStatus> {
  const incidents = await listOpenIncidents(db)
  return {
    states: await readLiveProcessStates(db, now),
    incidents,
    refusedKeys: await readRefusedKeys(db, incidents, now),
    waitingOrders: summarizeBacklog(await countPendingOrders(db)),
    webhooks: await readWebhookStatus(db, now),
  }
}

const emptyBacklog: BacklogSummary = { count: 0, oldest: null }
const nothingStored: StoredStatus = {
  states: [],
  incidents: [],
  refusedKeys: [],
  waitingOrders: emptyBacklog,
  webhooks: { failing: 0, struggling: 0, disabled: 0, due: emptyBacklog },
}

const STRUGGLING_MS = 300_000

async function readWebhookStatus(db: Database, now: number): Promise<CurrentStatus['webhooks']> {
  const due = summarizeBacklog(await countDueDeliveries(db, iso(now)))
  const endpoints = await countEndpointsByStatus(db)
  const countOf = (status: string) =>
    endpoints.reduce((sum, endpoint) => sum + (endpoint.status === status ? endpoint.count : 0), 0)
  const struggling = await countFailingEndpoints(db, iso(now - STRUGGLING_MS))
  return { failing: countOf('FAILING'), disabled: countOf('DISABLED'), struggling, due }
}

const iso = (ms: number) => new Date(ms).toISOString()

/** Adds up the backlogs of all merchants. */
function summarizeBacklog(backlogs: readonly BacklogCount[]): BacklogSummary {
  const count = backlogs.reduce((sum, backlog) => sum + backlog.count, 0)
  const [oldest] = backlogs.toSorted((a, b) => Date.parse(a.oldestAt) - Date.parse(b.oldestAt))
  return { count, oldest: oldest ? { at: Date.parse(oldest.oldestAt), merchant: oldest.tenant_id } : null }
}
