import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { adapters } from '../../src/adapters.ts'
import { parseConfig } from '../../src/config/config.ts'
import type { System } from '../../src/ports/system.ts'
import { startForecourt } from '../../src/runtime/start.ts'
import type { Database } from '../../src/storage/database.ts'
import { randomBase62, sha256Hex } from '../../src/storage/keys/api-key-format.ts'
import { issueApiKey } from '../../src/storage/keys/api-keys.ts'
import { transact } from '../../src/storage/transact.ts'
import { appendEvent } from '../../src/storage/webhooks/outbox.ts'
import { runAsChild } from './child-process.ts'

/** As many as a key may have: enforced on every request, never reached. */
const RATE = 10_000_000

export interface ForecourtInput {
  directory: string
  upstreams: Record<System, string>
  cacheMib: number
  /** A file in the directory, when it is not said. */
  store?: string
  /** A token for each of these customers is made ready. */
  customers?: string[]
  /** Spans of that share of requests go to a collector there. */
  tracing?: { endpoint: string; sample: number } | null
}
export interface ForecourtReady {
  address: string
  metricsAddress: string
  key: string
  secretKey: string
  shopperTokens: string[]
}

/** Forecourt as in production: a store and a log in files, metrics on, a key with a limit; its back office is the bench's stub. */
runAsChild(async (input: ForecourtInput) => {
  const config = parseConfig(JSON.stringify(fileOf(input)), 'the bench', adapters, {})
  let watched = true
  const forecourt = await startForecourt({
    config,
    adapters,
    embedded: () => ({}),
    isWatched: () => watched,
  })
  const { key } = await issueApiKey(forecourt.db, { merchant: 'bench', kind: 'publishable', mode: 'live', rate: RATE })
  const { key: secretKey } = await issueApiKey(forecourt.db, {
    merchant: 'bench',
    kind: 'secret',
    mode: 'live',
    rate: RATE,
  })
  const shopperTokens = await Promise.all((input.customers ?? []).map((customer) => signedIn(forecourt.db, customer)))
  const { address, metricsAddress } = forecourt
  const profile = profiled()
  async function answer(asked: Asked): Promise<unknown> {
    if ('events' in asked) return happen(forecourt.db, asked)
    if ('profile' in asked) return profile(asked)
    watched = asked.watched
  }
  return { ready: { address, metricsAddress, key, secretKey, shopperTokens }, answer }
})

/** The configuration file that a merchant would write; JSON is YAML too. */
function fileOf({ directory, upstreams, cacheMib, store, tracing }: ForecourtInput) {
  const at = (system: System) => ({ adapter: 'rest', address: upstreams[system], token: 'bench' })
  const live = { inventory: at('inventory'), pricing: at('pricing'), accounting: at('accounting') }
  return {
    listen: { host: '127.0.0.1', port: 0 },
    metrics: { host: '127.0.0.1', port: 0 },
    ...(tracing && { tracing }),
    data: directory,
    store: store ?? `sqlite:${join(directory, 'forecourt.db')}`,
    log: { file: join(directory, 'forecourt.log'), level: 'info' },
    cache: { max_mib: cacheMib },
    // One key for all that the bench starts on a PostgreSQL store.
    webhooks: { allow: ['127.0.0.1'], key: Buffer.alloc(32, 1).toString('base64') },
    // The stubs list goods without end.
    feed: { interval_seconds: 0 },
    merchants: { bench: { name: 'Bench', currency: 'JMD', time_zone: 'America/Jamaica', live, sandbox: {} } },
  }
}

async function signedIn(db: Database, customer_id: string): Promise<string> {
  const token = randomBase62(43)
  const times = { created_at: '2026-01-01T00:00:00.000Z', expires_at: '2999-01-01T00:00:00.000Z' }
  const row = { digest: sha256Hex(token), tenant_id: 'bench', mode: 'live' as const, customer_id, ...times }
  await db.insertInto('shopper_sessions').values(row).execute()
  return token
}

/** `watched`: whether it counts and keeps how requests go from now on. */
type Asked = { profile: 'start' | 'stop' } | { watched: boolean } | EventLoad

/** Events for the outbox, each in a transaction of its own, at an even pace; without one, as fast as it goes. */
export interface EventLoad {
  events: number
  perSecond: number | null
}

/** When each was committed, by its id, by the clock that all processes share. */
async function happen(db: Database, { events, perSecond }: EventLoad): Promise<Record<string, number>> {
  const committed: Record<string, number> = {}
  const startedAt = performance.now()
  for (let made = 0; made < events; made++) {
    const dueMs = perSecond === null ? 0 : startedAt + (made * 1_000) / perSecond - performance.now()
    if (dueMs > 0) await pause(dueMs)
    const data = { order_id: `O-${made}`, status: 'CONFIRMED', total: { amount: '100.00', currency: 'JMD' } }
    const resource = { type: 'order' as const, id: `O-${made}` }
    const of = { tenant_id: 'bench', mode: 'live' as const, type: 'order.confirmed' as const, resource, data }
    const id = await transact(db, (transaction) => appendEvent(transaction, { ...of, at: new Date().toISOString() }))
    committed[id] = performance.timeOrigin + performance.now()
  }
  return committed
}

/** `{ profile: 'start' }`, then `{ profile: 'stop' }`, which answers a V8 CPU profile. */
function profiled() {
  const session = new Session()
  return async ({ profile }: { profile: 'start' | 'stop' }) => {
    if (profile === 'stop') return (await session.post('Profiler.stop')).profile
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: 200 })
    await session.post('Profiler.start')
  }
}
