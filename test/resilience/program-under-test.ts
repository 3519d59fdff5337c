import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adapters } from '../../src/adapters.ts'
import type { Config } from '../../src/config/config.ts'
import type { MirrorConfig } from '../../src/config/mirror-config.ts'
import type { NotificationChannel } from '../../src/config/notification-channel.ts'
import type { SystemsConfig } from '../../src/config/system-config.ts'
import type { System } from '../../src/ports/system.ts'
import { type Forecourt, startForecourt } from '../../src/runtime/start.ts'
import { randomBase62 } from '../../src/security/base62.ts'
import { sha256Hex } from '../../src/security/sha256.ts'
import type { ApiKeyKind } from '../../src/storage/keys/api-key-format.ts'
import { issueApiKey } from '../../src/storage/keys/api-keys.ts'
import type { Mode } from '../../src/tenant.ts'
import type { SystemAddresses } from './system-addresses.ts'

export interface ProgramUnderTest extends AsyncDisposable {
  forecourt: Forecourt
  /** Issues an API key with a rate limit far above the needs of a test. */
  createKey(merchant: string, kind: ApiKeyKind, mode: Mode): Promise<string>
  /** Creates a shopper token for a customer of the back office. */
  createShopperToken(merchant: string, mode: Mode, customerId: string): Promise<string>
  request(path: string, key: string, more?: { headers?: Record<string, string>; body?: unknown }): Promise<ApiResponse>
  /** Stops the API and returns its log. */
  stopAndReadLog(): Promise<string>
}

export interface ApiResponse {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  body: any
}

export interface ProgramOptions {
  addresses: SystemAddresses
  merchants: readonly string[]
  mirror?: MirrorConfig
  now?: () => number
  /** The address of the store; default: its own SQLite file. */
  store?: string
  cacheBytes?: number
  deadlineMs?: number
  /** Who is notified of outages; default: nobody. */
  notifications?: readonly NotificationChannel[]
  /** The limits of single systems; default: a long timeout. */
  limits?: Partial<Record<System, { timeoutMs: number }>>
}

/** Starts the whole program in this process, with systems that the test started. */
export async function startProgram(options: ProgramOptions): Promise<ProgramUnderTest> {
  const directory = await mkdtemp(join(tmpdir(), 'forecourt-'))
  const logFile = join(directory, 'forecourt.log')
  const forecourt = await startForecourt({
    config: configOf(options, directory, logFile),
    adapters,
    embeddedSystemsFor: (merchant) => systemsOf(options, `${merchant}-sandbox`),
    ...(options.now && { now: options.now }),
  })
  return {
    forecourt,
    createKey: async (merchant, kind, mode) =>
      (await issueApiKey(forecourt.db, { merchant, kind, mode, rate: 1_000_000 })).key,
    async createShopperToken(merchant, mode, customerId) {
      const token = randomBase62(43)
      const row = { digest: sha256Hex(token), tenant_id: merchant, mode, customer_id: customerId, revoked_at: null }
      const times = { created_at: '2020-01-01T00:00:00.000Z', expires_at: '2099-01-01T00:00:00.000Z' }
      await forecourt.db
        .insertInto('shopper_sessions')
        .values({ ...row, ...times })
        .execute()
      return token
    },
    request: (path, key, more) => sendRequest(forecourt.address + path, key, more),
    async stopAndReadLog() {
      await forecourt[Symbol.asyncDispose]()
      return readFile(logFile, 'utf8')
    },
    async [Symbol.asyncDispose]() {
      await forecourt[Symbol.asyncDispose]()
      await rm(directory, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

export async function sendRequest(
  url: string,
  key: string,
  { headers, body }: { headers?: Record<string, string>; body?: unknown } = {},
): Promise<ApiResponse> {
  const response = await fetch(url, {
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parsed(text) }
}

/** Finds a vehicle as a storefront does: year, make, model. */
export async function findVehicleId(program: ProgramUnderTest, key: string): Promise<number> {
  const first = async (path: string) => (await program.request(`/v1/vehicles/${path}`, key)).body.data[0]
  const { value: year } = await first('years')
  const { value: make } = await first(`makes?year=${year}`)
  return (await first(`models?year=${year}&make=${encodeURIComponent(make)}`)).vehicle_id
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function configOf(options: ProgramOptions, directory: string, file: string): Config {
  return {
    listen: { host: '127.0.0.1', port: 0 },
    metrics: { host: '127.0.0.1', port: 0 },
    dataDirectory: directory,
    store: options.store ?? `sqlite:${join(directory, 'forecourt.db')}`,
    log: { file, level: 'trace' },
    cacheBytes: options.cacheBytes ?? 64 * 1_048_576,
    // Long by default: a busy machine may need it.
    deadlineMs: options.deadlineMs ?? 60_000,
    // Servers that share a store must share its encryption key.
    webhooks: { keys: options.store === undefined ? null : [Buffer.alloc(32, 7)], ports: [443], allow: [] },
    feedIntervalMs: null,
    ...(options.notifications && { notifications: options.notifications }),
    merchants: options.merchants.map((merchant) => ({
      ...(options.mirror && { mirror: options.mirror }),
      merchant,
      name: merchant,
      currency: 'JMD',
      timeZone: 'America/Jamaica',
      bands: { low: 5, hysteresis: 2 },
      live: systemsOf(options, `${merchant}-live`),
      sandbox: null,
    })),
  }
}

function systemsOf({ addresses, limits }: ProgramOptions, account: string): SystemsConfig {
  const system = (name: System) => ({
    adapter: 'rest',
    address: `${addresses[name]}/${account}`,
    settings: { token: 'sandbox' },
    limits: limits?.[name] ?? { timeoutMs: 30_000 },
    maxResponseBytes: 16 * 1_048_576,
  })
  return { inventory: system('inventory'), pricing: system('pricing'), accounting: system('accounting') }
}
