import type { MerchantConfig, Mode } from '../../config/config.ts'
import type { Database } from '../../storage/database.ts'
import { listOpenIncidents } from '../../storage/diagnostics/open-incidents.ts'
import {
  type BacklogCount,
  countDueDeliveries,
  countEndpointsByStatus,
  countFailingEndpoints,
  countPendingOrders,
} from '../../storage/diagnostics/store-counts.ts'
import { mergeProcessStates } from './merge-process-states.ts'
import { readLiveProcessStates } from './process-heartbeat.ts'
import type { ProcessState } from './process-state.ts'
import { toSystemStatuses } from './system-status.ts'

/** A circuit as this process has it. */
export interface CircuitStatus {
  merchant: string
  mode: Mode
  system: string
  state: 'closed' | 'open' | 'half-open'
  held?: { state: 'open' | 'closed'; untilMs: number; by: string } | null
}

export interface CurrentStatusParts {
  db: Database
  upstreams: { states(): CircuitStatus[] }
  merchants: readonly Pick<MerchantConfig, 'merchant' | 'name'>[]
  live: ProcessState
  now: number
}

/** The last minute of all processes. */
export interface CurrentStatus {
  /** Milliseconds since the epoch, as all times of it that end in `At`. */
  at: number
  /** Those that told of themselves in the last ten seconds, this one among them. */
  processes: number
  /** By merchant, `live` first. */
  merchants: TenantStatus[]
  /** Orders whose ledger has not answered yet. */
  waitingOrders: BacklogSummary
  /** `struggling`: not failing yet, and every attempt of the last minutes was in vain; `due`: deliveries whose time has come, up to 10,000. */
  webhooks: { failing: number; struggling: number; disabled: number; due: BacklogSummary }
}

export interface BacklogSummary {
  count: number
  /** With whose it is; `null`: there is none. */
  oldest: { at: number; merchant: string } | null
}

export interface TenantStatus {
  merchant: string
  name: string
  mode: Mode
  answers: number
  /** 0..1; `null`: nobody asked. */
  completeShare: number | null
  systems: SystemStatus[]
}

export interface SystemStatus {
  system: string
  /** The worst that any process has. */
  state: CircuitStatus['state']
  /** Processes whose circuit is open. */
  openIn: number
  held: NonNullable<CircuitStatus['held']> | null
  calls: number
  /** 0..1; `null`: it was not called. */
  errorRate: number | null
  /** Of the calls that were sent; `null`: there was none. */
  p50Ms: number | null
  p99Ms: number | null
  /** How old the oldest value is that stood in for an answer of this system; `null`: none did. */
  lastGoodAgeMs: number | null
  /** What shoppers see of it, in sentences; empty while all is well, or nobody asks. */
  impactText: string[]
  /** That are open. */
  incidents: IncidentStatus[]
}

export interface IncidentStatus {
  incidentId: string
  section: string
  beganAt: number
  /** Of the last degraded answer. */
  lastAt: number
  /** No degraded answer came for a while, and no good one: nobody asks. */
  silent: boolean
  answers: number
}

/** What all processes tell of the last minute, with what the store knows. */
export async function readCurrentStatus({
  db,
  upstreams,
  merchants,
  live,
  now,
}: CurrentStatusParts): Promise<CurrentStatus> {
  const others = (await readLiveProcessStates(db, now)).filter(({ process }) => process !== live.process)
  const open = await listOpenIncidents(db)
  const all = mergeProcessStates([live, ...others])
  const circuits = upstreams.states()
  const view = merchants.flatMap(({ merchant, name }) =>
    modes.map((mode): TenantStatus => {
      const isOwn = (one: { merchant: string; mode: Mode }) => one.merchant === merchant && one.mode === mode
      const known = {
        state: all.get(`${merchant}/${mode}`),
        circuits: circuits.filter(isOwn),
        incidents: open.filter((one) => one.tenant_id === merchant && one.mode === mode),
      }
      const { answers, degraded } = known.state ?? { answers: 0, degraded: 0 }
      const completeShare = answers === 0 ? null : (answers - degraded) / answers
      return { merchant, name, mode, answers, completeShare, systems: toSystemStatuses(known, now) }
    }),
  )
  const { waiting, webhooks } = await backlog(db, now)
  return { at: now, processes: 1 + others.length, merchants: view, waitingOrders: waiting, webhooks }
}

const modes: readonly Mode[] = ['live', 'sandbox']

async function backlog(db: Database, now: number) {
  const orders = await countPendingOrders(db)
  const due = inAll(await countDueDeliveries(db, new Date(now).toISOString()))
  const endpoints = await countEndpointsByStatus(db)
  const having = (status: string) => endpoints.reduce((sum, one) => sum + (one.status === status ? one.count : 0), 0)
  return {
    waiting: inAll(orders),
    webhooks: {
      ...{ failing: having('FAILING'), disabled: having('DISABLED') },
      ...{ struggling: await countFailingEndpoints(db, new Date(now - STRUGGLING_MS).toISOString()), due },
    },
  }
}

const STRUGGLING_MS = 300_000

/** Of all merchants. */
function inAll(waiting: readonly BacklogCount[]): BacklogSummary {
  const count = waiting.reduce((sum, one) => sum + one.count, 0)
  const [first] = waiting.toSorted((a, b) => Date.parse(a.oldestAt) - Date.parse(b.oldestAt))
  return { count, oldest: first ? { at: Date.parse(first.oldestAt), merchant: first.tenant_id } : null }
}
