import { sql } from 'kysely'
import type { Health } from '../contract/health.ts'
import { waitUpTo } from '../lifecycle/wait-up-to.ts'
import type { Database } from '../storage/database.ts'
import { type DeliveryBacklog, readDeliveryBacklog } from '../storage/diagnostics/backlog-queries.ts'
import { readStoreId } from '../storage/store-id.ts'
import type { StoreMonitor } from '../storage/store-monitor.ts'
import type { UpstreamRegistry } from '../upstream/upstream-registry.ts'
import { version } from './version.ts'

/** A load balancer routes shoppers by this response, so a late response is as bad as none. */
const STORE_TIMEOUT_MS = 1_000
/** The endpoint is public and not rate limited: the deliveries are not counted on each call. */
const BACKLOG_TTL_MS = 2_000
/** A delivery to a healthy endpoint that is due for longer is overdue. */
const OVERDUE_MS = 60_000

export interface HealthCheckParts {
  db: Database
  store: Pick<StoreMonitor, 'outage'>
  upstreams: UpstreamRegistry
  now: () => number
}

/** Returns the check of this process and of what it depends on: states and an opaque id of the store, without hosts, addresses or merchants. */
export function createHealthCheck({ db, store, upstreams, now }: HealthCheckParts): () => Promise<Health> {
  const startedAt = now()
  let storeId: string | null = null
  let last: { at: number; backlog: Promise<DeliveryBacklog | null> } | undefined

  function readBacklog(): Promise<DeliveryBacklog | null> {
    const at = now()
    if (last === undefined || at - last.at >= BACKLOG_TTL_MS || at < last.at) {
      last = { at, backlog: inTime(readDeliveryBacklog(db, iso(at), iso(at - OVERDUE_MS))) }
    }
    return last.backlog
  }

  return async () => {
    const [storeReply, backlogNow] = await Promise.all([inTime(sql`select 1`.execute(db)), readBacklog()])
    if (storeReply !== null) storeId ??= await inTime(readStoreId(db))
    const storeStatus = storeReply === null || store.outage !== null ? 'down' : 'ok'
    const upstreamReason = describeUpstreams(upstreams)
    const upstreamStatus = upstreamReason === null ? 'ok' : 'degraded'
    const webhooks = backlogNow === null || backlogNow.isOverdue ? 'degraded' : 'ok'
    const degraded = upstreamStatus === 'degraded' || webhooks === 'degraded'
    return {
      status: storeStatus === 'down' ? 'down' : degraded ? 'degraded' : 'ok',
      version,
      time: iso(now()),
      uptime_seconds: Math.floor((now() - startedAt) / 1_000),
      checks: {
        store: { status: storeStatus, ...(storeId !== null && { id: storeId }) },
        upstreams: { status: upstreamStatus, ...(upstreamReason !== null && { reason: upstreamReason }) },
        webhooks: { status: webhooks, backlog: backlogNow?.due ?? 0 },
      },
    }
  }
}

/** Says why systems are degraded, without their names: anybody may read it. `null`: they are not. */
function describeUpstreams(upstreams: UpstreamRegistry): string | null {
  const systems = upstreams.states()
  const reasons = [
    ...(systems.some(({ state }) => state !== 'closed') ? ['The circuit of a system is open.'] : []),
    ...(systems.some(({ rejectsCalls }) => rejectsCalls)
      ? ['A system rejects every call: the rights of Forecourt there or a setting of Forecourt may be wrong.']
      : []),
  ]
  return reasons.length === 0 ? null : reasons.join(' ')
}

const iso = (ms: number) => new Date(ms).toISOString()

/** `null` when the store fails or takes too long. */
const inTime = <T>(reply: Promise<T>): Promise<T | null> =>
  waitUpTo(
    STORE_TIMEOUT_MS,
    reply.catch(() => null),
  )
