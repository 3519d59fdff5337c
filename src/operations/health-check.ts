import { sql } from 'kysely'
import type { Health } from '../contract/health.ts'
import type { Database } from '../storage/database.ts'
import { type DeliveryBacklog, readDeliveryBacklog } from '../storage/webhooks/delivery-backlog.ts'
import type { UpstreamRegistry } from '../upstream/upstream-registry.ts'
import { version } from './version.ts'

/** Who asks for health decides by it where to send shoppers: an answer that comes late is as bad as none. */
const PATIENCE_MS = 1_000
/** Anybody may ask, as often as they like: the deliveries are not counted each time. */
const BELIEVED_MS = 2_000
/** A sound endpoint that waits for longer is not being served. */
const NEGLECT_MS = 60_000

/** The state of this process and of what it leans on, in words alone: no host, no address, no merchant. */
export function createHealthCheck(db: Database, upstreams: UpstreamRegistry, now: () => number): () => Promise<Health> {
  const startedAt = now()
  let last: { at: number; backlog: Promise<DeliveryBacklog | null> } | undefined

  function backlog(): Promise<DeliveryBacklog | null> {
    const at = now()
    if (last === undefined || at - last.at >= BELIEVED_MS || at < last.at) {
      const asked = readDeliveryBacklog(db, iso(at), iso(at - NEGLECT_MS))
      last = { at, backlog: inTime(asked) }
    }
    return last.backlog
  }

  return async () => {
    const [answer, found] = await Promise.all([inTime(sql`select 1`.execute(db)), backlog()])
    const store = answer === null ? 'down' : 'ok'
    const circuits = upstreams.states().every(({ state }) => state === 'closed') ? 'ok' : 'degraded'
    const webhooks = found === null || found.neglected ? 'degraded' : 'ok'
    const degraded = circuits === 'degraded' || webhooks === 'degraded'
    return {
      status: store === 'down' ? 'down' : degraded ? 'degraded' : 'ok',
      version,
      time: iso(now()),
      uptime_seconds: Math.floor((now() - startedAt) / 1_000),
      checks: {
        store: { status: store },
        upstreams: { status: circuits },
        webhooks: { status: webhooks, backlog: found?.due ?? 0 },
      },
    }
  }
}

const iso = (ms: number) => new Date(ms).toISOString()

/** `null`: the store fails, or takes too long. */
async function inTime<T>(asked: Promise<T>): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(resolve, PATIENCE_MS, null)
  try {
    return await Promise.race([asked.catch(() => null), late])
  } finally {
    clearTimeout(timer)
  }
}
