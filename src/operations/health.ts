import { sql } from 'kysely'
import type { Health } from '../contract/health.ts'
import type { Database } from '../storage/database.ts'
import type { Offices } from '../upstream/offices.ts'
import { version } from './version.ts'

/** The state of this process and of what it leans on, in words alone: no host, no address, no merchant. */
export async function health(db: Database, offices: Offices, startedAt: number, now = Date.now()): Promise<Health> {
  const store = (await storeAnswers(db)) ? 'ok' : 'down'
  const upstreams = offices.states().every(({ state }) => state === 'closed') ? 'ok' : 'degraded'
  return {
    status: store === 'down' ? 'down' : upstreams,
    version,
    time: new Date(now).toISOString(),
    uptime_seconds: Math.floor((now - startedAt) / 1_000),
    checks: { store: { status: store }, upstreams: { status: upstreams }, webhooks: { status: 'ok', backlog: 0 } },
  }
}

/** Who asks for health decides by it where to send shoppers: an answer that comes late is as bad as none. */
const PATIENCE_MS = 1_000

async function storeAnswers(db: Database): Promise<boolean> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('late')), PATIENCE_MS)
  try {
    await Promise.race([sql`select 1`.execute(db), late])
    return true
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}
