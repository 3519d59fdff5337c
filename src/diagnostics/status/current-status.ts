import type { MerchantConfig } from '../../config/merchant-config.ts'
import { PROCESS_EXPIRY_MS } from '../../storage/diagnostics/process-states.ts'
import type { StoreMonitor, StoreOutage } from '../../storage/store-monitor.ts'
import { type Mode, modes, tenantKey } from '../../tenant.ts'
import type { LastGoodStatusReader, LastGoodStatusReading } from './last-good-status-reader.ts'
import { mergeProcessStates } from './merge-process-states.ts'
import type { ProcessState } from './process-state.ts'
import type { StoredStatus } from './read-stored-status.ts'
import { type CircuitStatus, type SystemStatus, toSystemStatuses } from './system-status.ts'

export interface CurrentStatusParts {
  stored: LastGoodStatusReader
  store: Pick<StoreMonitor, 'outage'>
  /** Requests that this process refused since the store became unavailable. */
  storeRefusals: number
  upstreams: { states(): CircuitStatus[] }
  merchants: readonly Pick<MerchantConfig, 'merchant' | 'name'>[]
  /** The state of this process. */
  ownState: ProcessState
  now: number
}

/** The state of all tenants in the last minute, over all processes. */
export interface CurrentStatus
  extends Pick<StoredStatus, 'care' | 'refusedKeys' | 'failingChannels' | 'latestIncident'> {
  /** Milliseconds since the epoch, like all members that end in `At`. */
  at: number
  /** Number of processes with a heartbeat in the last ten seconds, including this one. */
  processes: number
  /** `null`: this process can use the store. */
  storeOutage: (StoreOutage & { refusals: number }) | null
  /** When orders and webhooks were last read; `null`: they are current, or were never read. */
  storedAt: number | null
  /** Tenants with a valid API key (`tenantKey`); `null`: unknown. */
  tenantsWithKeys: ReadonlySet<string> | null
  /** Sorted by merchant, `live` first. */
  merchants: TenantStatus[]
  /** `null`: they could not be read since this process started. */
  backlog: Pick<StoredStatus, 'waitingOrders' | 'webhooks' | 'failedImports'> | null
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

/** A store that has not responded for this long is unavailable, although no call to it has failed yet. */
const SILENT_STORE_MS = 3_000

/** Returns the current status from memory and from what the store last said about the other processes. It never waits for the store for long. */
export async function readCurrentStatus(parts: CurrentStatusParts): Promise<CurrentStatus> {
  const { stored, store, merchants, ownState, now } = parts
  const reading = await stored.read()
  const { status, unansweredSince, readAt } = reading
  const outage = store.outage ?? toSilentOutage(reading, now)
  const others = status?.states.filter(
    ({ process, at }) => process !== ownState.process && now - at <= PROCESS_EXPIRY_MS,
  )
  const states = [ownState, ...(others ?? [])]
  const stateByTenant = mergeProcessStates(states)
  // Whether an incident has ended is in the store.
  const incidents = outage?.isUnreachable ? [] : (status?.incidents ?? [])
  const circuits = parts.upstreams.states()
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
    storeOutage: outage && { ...outage, refusals: parts.storeRefusals },
    storedAt: unansweredSince === null ? null : readAt,
    merchants: tenants,
    care: status?.care ?? new Map(),
    latestIncident: status?.latestIncident ?? null,
    refusedKeys: status?.refusedKeys ?? [],
    failingChannels: status?.failingChannels ?? [],
    tenantsWithKeys: status?.tenantsWithKeys ?? null,
    backlog: status && {
      waitingOrders: status.waitingOrders,
      webhooks: status.webhooks,
      failedImports: status.failedImports,
    },
  }
}

function toSilentOutage({ unansweredSince }: LastGoodStatusReading, now: number): StoreOutage | null {
  if (unansweredSince === null || now - unansweredSince < SILENT_STORE_MS) return null
  return { beganAt: unansweredSince, reason: 'the store does not respond', isUnreachable: true }
}
