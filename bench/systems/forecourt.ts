import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { adapters } from '../../src/adapters.ts'
import { parseConfig } from '../../src/config/parse-config-file.ts'
import type { System } from '../../src/ports/system.ts'
import type { Observer } from '../../src/runtime/observability.ts'
import { startForecourt } from '../../src/runtime/start.ts'
import { randomBase62 } from '../../src/security/base62.ts'
import { sha256Hex } from '../../src/security/sha256.ts'
import type { Database } from '../../src/storage/database.ts'
import { issueApiKey } from '../../src/storage/keys/api-keys.ts'
import { appendEvents, type EventLoad } from './append-events.ts'
import { fillMirror, type MirrorFill } from './fill-mirror.ts'
import { runAsChild } from './run-as-child.ts'
import { type PriceChanges, storePriceChanges } from './store-price-changes.ts'

/** The highest rate limit of a key: checked on every request, never reached. */
const RATE_LIMIT = 10_000_000

export interface ForecourtInput {
  directory: string
  upstreams: Record<System, string>
  cacheMib: number
  /** A file in the directory by default. */
  store?: string
  /** Customers that get a shopper token each. */
  customers?: string[]
  /** The collector, and the share of requests that are sampled. */
  tracing?: { endpoint: string; sample: number } | null
  /** The mirror is on. It is filled by a message. */
  hasMirror?: boolean
}
export interface ForecourtReady {
  address: string
  metricsAddress: string
  key: string
  /** A publishable key with the usual rate limit. */
  limitedKey: string
  secretKey: string
  shopperTokens: string[]
}

/** Forecourt as in production, with store and log files, metrics and a rate-limited key, over the stub upstreams of the bench. */
runAsChild(async (input: ForecourtInput) => {
  const config = parseConfig(JSON.stringify(toConfigFile(input)), 'the bench', adapters, {})
  let observers: readonly Observer[] = ['metrics', 'diagnostics']
  const forecourt = await startForecourt({
    config,
    adapters,
    embeddedSystemsFor: () => ({}),
    isObserved: (observer) => observers.includes(observer),
  })
  const { key } = await issueApiKey(forecourt.db, {
    merchant: 'bench',
    kind: 'publishable',
    mode: 'live',
    rate: RATE_LIMIT,
    ratePerClient: RATE_LIMIT,
  })
  const { key: limitedKey } = await issueApiKey(forecourt.db, { merchant: 'bench', kind: 'publishable', mode: 'live' })
  const { key: secretKey } = await issueApiKey(forecourt.db, {
    merchant: 'bench',
    kind: 'secret',
    mode: 'live',
    rate: RATE_LIMIT,
  })
  const shopperTokens = await Promise.all(
    (input.customers ?? []).map((customer) => createShopperToken(forecourt.db, customer)),
  )
  const { address, metricsAddress } = forecourt
  const profile = createProfiler()
  const monitor = createLoopMonitor()
  let changing: Promise<number[]> = Promise.resolve([])
  async function answer(message: Message): Promise<unknown> {
    if ('events' in message) return appendEvents(forecourt.db, message)
    if ('profile' in message) return profile(message)
    if ('loop' in message) return monitor(message)
    if ('products' in message) return fillMirror(forecourt, message)
    if ('committed' in message) return changing
    if ('prices' in message) {
      // Meanwhile, other messages are answered.
      changing = storePriceChanges(forecourt.db, message)
      return null
    }
    observers = message.observers
  }
  return { ready: { address, metricsAddress, key, limitedKey, secretKey, shopperTokens }, answer }
})

/** The configuration file; JSON is YAML too. */
function toConfigFile({ directory, upstreams, cacheMib, store, tracing, hasMirror }: ForecourtInput) {
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
    // One encryption key for all runs on one PostgreSQL store.
    webhooks: { allow: ['127.0.0.1'], key: Buffer.alloc(32, 1).toString('base64') },
    // The stubs list products without end.
    feed: { interval_seconds: 0 },
    merchants: {
      bench: {
        name: 'Bench',
        currency: 'JMD',
        time_zone: 'America/Jamaica',
        // Without a feed, nothing confirms a mirror.
        mirror: hasMirror ? { max_age_seconds: 86_400 } : 'off',
        live,
        sandbox: {},
      },
    },
  }
}

async function createShopperToken(db: Database, customer_id: string): Promise<string> {
  const token = randomBase62(43)
  const times = { created_at: '2026-01-01T00:00:00.000Z', expires_at: '2999-01-01T00:00:00.000Z' }
  const row = { digest: sha256Hex(token), tenant_id: 'bench', mode: 'live' as const, customer_id, ...times }
  await db.insertInto('shopper_sessions').values(row).execute()
  return token
}

/** `observers` turns metrics and diagnostics on and off. */
type Message =
  | { profile: 'start' | 'stop' }
  | { loop: 'start' | 'stop' }
  | { observers: readonly Observer[] }
  | EventLoad
  | MirrorFill
  | PriceChanges
  | { committed: true }

/**
 * Handles `{ loop: 'start' }` and then `{ loop: 'stop' }`, which returns how long the event loop was held, in milliseconds. `maxCpuMs` counts
 * the CPU time of the loop's thread only, and so leaves out the times when another process had its core.
 */
function createLoopMonitor() {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  let turns: NodeJS.Timeout
  let maxCpuMs = 0
  return ({ loop }: { loop: 'start' | 'stop' }) => {
    if (loop === 'start') {
      delay.reset()
      delay.enable()
      maxCpuMs = 0
      let before = threadCpuMs()
      turns = setInterval(() => {
        const after = threadCpuMs()
        maxCpuMs = Math.max(maxCpuMs, after - before)
        before = after
      }, 1)
      return null
    }
    delay.disable()
    clearInterval(turns)
    return { p99Ms: delay.percentile(99) / 1e6, maxMs: delay.max / 1e6, maxCpuMs }
  }
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Handles `{ profile: 'start' }` and then `{ profile: 'stop' }`, which returns a V8 CPU profile. */
function createProfiler() {
  const session = new Session()
  return async ({ profile }: { profile: 'start' | 'stop' }) => {
    if (profile === 'stop') return (await session.post('Profiler.stop')).profile
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: 200 })
    await session.post('Profiler.start')
  }
}
