import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, type OutgoingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { adapters } from '../../src/adapters.ts'
import type {
  MailConfig,
  MediaConfig,
  OperationsConfig,
  TracingConfig,
  WebhooksConfig,
} from '../../src/config/config.ts'
import type { MerchantConfig } from '../../src/config/merchant-config.ts'
import type { MirrorConfig } from '../../src/config/mirror-config.ts'
import type { NotificationChannel } from '../../src/config/notification-channel.ts'
import type { SystemConfig, SystemsConfig } from '../../src/config/system-config.ts'
import { type System, systems } from '../../src/ports/system.ts'
import { type ForecourtParts, startForecourt } from '../../src/runtime/start.ts'
import type { Fault } from '../../src/sandbox/control/fault-injection.ts'
import { randomBase62 } from '../../src/security/base62.ts'
import { sha256Hex } from '../../src/security/sha256.ts'
import type { Database } from '../../src/storage/database.ts'
import { type ApiKey, issueApiKey, type NewApiKey } from '../../src/storage/keys/api-keys.ts'
import { modes, type Tenant } from '../../src/tenant.ts'
import type { UpstreamRegistry } from '../../src/upstream/upstream-registry.ts'
import { createCatalogMirrors, type TestCatalogMirror } from './catalog-mirrors.ts'
import { CHEAP_PASSWORD } from './cheap-password.ts'
import type { FillParts } from './fill-catalog.ts'
import { openApiCheckOf } from './openapi-checks.ts'
import { type SandboxSystems, startSandboxSystems, stopSandboxSystems } from './sandbox-systems.ts'
import { type Reply, sendHttpRequest } from './send-http-request.ts'
import { writeMigratedSqlite } from './sqlite-template.ts'
import { until } from './until.ts'

export type { Reply } from './send-http-request.ts'

export interface ApiRequest {
  key?: string
  method?: string
  headers?: OutgoingHttpHeaders
  body?: unknown
}

/** Returns the configuration of an account's three systems. */
export type SystemsOf = (account: string, limits?: SystemConfig['limits']) => SystemsConfig

export interface ApiOptions
  extends Pick<
    ForecourtParts,
    'mirrorWaitMs' | 'now' | 'passwordCost' | 'prepare' | 'registerRoutes' | 'serverLimits'
  > {
  /** Those of a configuration by default. */
  adapters?: ForecourtParts['adapters']
  deadlineMs?: number
  /** A new empty store by default. */
  store?: string
  mail?: MailConfig
  webhooks?: WebhooksConfig
  media?: MediaConfig
  tracing?: TracingConfig
  /** Starts the console on a free port. */
  operations?: Partial<OperationsConfig>
  publicUrl?: string
  notifications?: NotificationChannel[]
  trustedProxies?: string[]
  /** A temporary folder by default. */
  dataDirectory?: string
  /** The change feed is off by default. */
  feedIntervalMs?: number
  /** Puts a mirror in front of each back office. Reads ask the systems until `fillMirror` is called. Off by default. */
  mirror?: MirrorConfig | null
  /** Further merchants besides acme and zenith. */
  merchants?: (systemsOf: SystemsOf) => Partial<MerchantConfig>[]
}

export interface Api extends AsyncDisposable {
  address: string
  /** Address of the console; empty without `operations`. */
  operationsAddress: string
  db: Database
  /** `sqlite:<path>`, for another process. */
  store: string
  systems: SandboxSystems
  upstreams: UpstreamRegistry
  /** Sends a request, and checks the response against the OpenAPI document and the rules of every response. */
  request(path: string, options?: ApiRequest): Promise<Reply>
  /** Issues a key; by default a publishable sandbox key of acme. */
  key(request?: Partial<NewApiKey>): Promise<string>
  issueKey(request?: Partial<NewApiKey>): Promise<{ key: string; record: ApiKey }>
  /** Creates a shopper token; by default for customer C-1001 in acme's sandbox. */
  shopperToken(session?: {
    merchant?: string
    mode?: 'live' | 'sandbox'
    customer?: string
    expiresAt?: string
    revokedAt?: string
  }): Promise<string>
  /**
   * Fills the mirror of a tenant (acme's sandbox by default) with what its back office has now: all products, or these SKUs. Does nothing
   * without mirrors.
   */
  fillMirror(fill?: { tenant?: Tenant } & Pick<FillParts, 'skus' | 'vehicles'>): Promise<void>
  mirrorOf(tenant?: Tenant): TestCatalogMirror
  fault(system: System, fault: Fault): Promise<void>
  clearFaults(): Promise<void>
  /** Stops the API and returns its log. */
  stopAndReadLog(): Promise<string>
}

const ACME_SANDBOX: Tenant = { merchant: 'acme', mode: 'sandbox' }

/** A key whose limits no test reaches by itself. */
const ISSUED_KEY = {
  merchant: 'acme',
  kind: 'publishable',
  mode: 'sandbox',
  rate: 1_000_000,
  ratePerClient: 1_000_000,
} as const

/** Starts the API over three embedded systems, with the merchants acme (embedded sandbox) and zenith (configured sandbox). */
export async function startApi(options: ApiOptions = {}): Promise<Api> {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'forecourt-api-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const embedded = await startSandboxSystems(directory)
  stack.defer(() => stopSandboxSystems(embedded))
  const systemsOf = createSystemsOf(embedded)
  const publicUrl = { value: options.publicUrl ?? '' }
  const mirrors = stack.use(createCatalogMirrors(() => publicUrl.value))
  const withMirrorSetting = (merchant: Partial<MerchantConfig>) =>
    createMerchant({ ...(options.mirror && { mirror: options.mirror }), ...merchant })
  const storeFile = join(directory, 'forecourt.db')
  if (!options.store) await writeMigratedSqlite(storeFile)
  const store = options.store ?? `sqlite:${storeFile}`
  const log = { file: join(directory, 'forecourt.log'), level: 'info' }
  const merchants = [
    { merchant: 'acme', live: systemsOf('acme-live') },
    { merchant: 'zenith', live: systemsOf('zenith-live'), sandbox: systemsOf('zenith') },
    ...(options.merchants?.(systemsOf) ?? []),
  ].map(withMirrorSetting)
  const forecourt = await startForecourt({
    config: {
      listen: { host: '127.0.0.1', port: 0 },
      metrics: null,
      dataDirectory: options.dataDirectory ?? directory,
      store,
      log,
      ...(options.mail && { mail: options.mail }),
      ...(options.media && { media: options.media }),
      ...(options.tracing && { tracing: options.tracing }),
      ...(options.operations && { operations: { host: '127.0.0.1', port: 0, metrics: false, ...options.operations } }),
      ...(options.notifications && { notifications: options.notifications }),
      ...(options.publicUrl && { publicUrl: options.publicUrl }),
      ...(options.trustedProxies && { trustedProxies: options.trustedProxies }),
      cacheBytes: 64 * 1_048_576,
      // Long, because a busy machine may need it; tests of deadlines set their own.
      deadlineMs: options.deadlineMs ?? 30_000,
      webhooks: options.webhooks ?? { keys: [Buffer.alloc(32, 7)], ports: [443], allow: ['127.0.0.1', 'localhost'] },
      feedIntervalMs: options.feedIntervalMs ?? null,
      merchants,
    },
    adapters,
    embeddedSystemsFor: (merchant) => systemsOf(merchant),
    passwordCost: CHEAP_PASSWORD,
    // The test fills its own.
    startsMirrors: !options.mirror,
    ...options,
  })
  let stopped: PromiseLike<void> | undefined
  const stop = () => {
    stopped ??= forecourt[Symbol.asyncDispose]()
    return stopped
  }
  stack.defer(stop)
  const agent = new Agent({ keepAlive: true })
  stack.defer(() => agent.destroy())
  const { address, db, upstreams } = forecourt
  publicUrl.value ||= address
  for (const { merchant } of options.mirror ? merchants : [])
    for (const mode of modes) upstreams.forTenant({ merchant, mode })?.setMirror(mirrors.forTenant({ merchant, mode }))
  const operationsAddress = forecourt.operationsAddress ?? ''
  const check = openApiCheckOf(await readOpenApiDocument(address))
  const running = stack.move()
  const issueKey = (request?: Partial<NewApiKey>) => issueApiKey(db, { ...ISSUED_KEY, ...request })

  return {
    address,
    operationsAddress,
    db,
    store,
    systems: embedded,
    upstreams,
    async request(path, { key, headers = {}, method, body } = {}) {
      const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
      const options = { headers: { ...authorization, ...headers }, ...(method && { method }), body }
      const reply = await sendHttpRequest(address, path, options, agent)
      check({ method: method ?? (body === undefined ? 'GET' : 'POST'), path, ...reply })
      checkEveryResponse(reply, String(options.headers.authorization ?? ''), embedded)
      return reply
    },
    issueKey,
    key: async (request) => (await issueKey(request)).key,
    async shopperToken({ merchant = 'acme', mode = 'sandbox', customer = 'C-1001', expiresAt, revokedAt } = {}) {
      const token = randomBase62(43)
      const row = {
        digest: sha256Hex(token),
        tenant_id: merchant,
        mode,
        customer_id: customer,
        revoked_at: revokedAt ?? null,
      }
      const times = { created_at: '2026-01-01T00:00:00.000Z', expires_at: expiresAt ?? '2999-01-01T00:00:00.000Z' }
      await db
        .insertInto('shopper_sessions')
        .values({ ...row, ...times })
        .execute()
      return token
    },
    mirrorOf: (tenant = ACME_SANDBOX) => mirrors.forTenant(tenant),
    async fillMirror({ tenant = ACME_SANDBOX, skus, vehicles } = {}) {
      if (!options.mirror) return
      const { backOffice } = upstreams.forTenant(tenant)!
      backOffice.purge(skus ?? null)
      await mirrors.forTenant(tenant).fill({ backOffice, db, at: (options.now ?? Date.now)(), skus, vehicles })
    },
    fault: (system, fault) => embedded[system].setFault(fault),
    clearFaults: async () => void (await Promise.all(systems.map((system) => embedded[system].setFault({})))),
    async stopAndReadLog() {
      await stop()
      return readFile(log.file, 'utf8')
    },
    [Symbol.asyncDispose]: async () => running.disposeAsync(),
  }
}

/** Asks again where a server with short timeouts, on a busy machine, has not read the request in time. */
async function readOpenApiDocument(address: string): Promise<string> {
  let reply: Reply | null = null
  await until('the OpenAPI document is served', async () => {
    reply = await sendHttpRequest(address, '/openapi.json').catch(() => null)
    return reply?.status === 200
  })
  return reply!.text
}

function createSystemsOf(embedded: SandboxSystems): SystemsOf {
  const rest = { adapter: 'rest', settings: { token: 'sandbox' }, maxResponseBytes: 16 * 1_048_576 }
  return (account, limits = { timeoutMs: 20_000 }) =>
    Object.fromEntries(
      systems.map((system) => [system, { ...rest, limits, address: `${embedded[system].address}/${account}` }]),
    )
}

function createMerchant(overrides: Partial<MerchantConfig>): MerchantConfig {
  const bands = { low: 5, hysteresis: 2 }
  return {
    merchant: '',
    name: 'Parts',
    currency: 'JMD',
    timeZone: 'America/Jamaica',
    bands,
    live: {},
    sandbox: null,
    ...overrides,
  }
}

/** Endpoints of subscriptions: receivers of the tests. */
const ENDPOINT = /"endpoint_url":"[^"]*"/
const PICTURES = /http:\/\/127\.0\.0\.1:\d+\/media\/[\w.-]+/g
/** Texts that only an upstream system, an address or a stack trace contains. */
const INTERNAL =
  /127\.0\.0\.1|localhost|ECONN|this failure was injected|garbage|X-Sandbox-Fault|node:|\.ts:\d|there is no such|the (account|path|SKU|order) does not exist/

function checkEveryResponse({ status, headers, text }: Reply, authorization: string, embedded: SandboxSystems): void {
  const mode = /^(Bearer +)?svc_test_/i.test(authorization) ? 'sandbox' : 'live'
  expect(headers['x-service-mode'], 'X-Service-Mode').to.equal(mode)
  expect(headers['x-request-id'], 'X-Request-Id').to.match(/^[A-Za-z0-9._-]{1,128}$/)
  if (!text.startsWith('{') || text.startsWith('{"openapi"')) return
  // Vary and a hint name X-Sandbox-Fault.
  const hint = headers['forecourt-hint']?.toString().replaceAll('X-Sandbox-Fault', '')
  const visible = `${JSON.stringify({ ...headers, vary: undefined, 'forecourt-hint': hint })}${text.replace(PICTURES, '').replace(ENDPOINT, '')}`
  if (status !== 422) expect(visible).to.not.match(INTERNAL)
  // As part of an address: a quantity may be the same number.
  for (const { port } of Object.values(embedded)) expect(visible).to.not.match(new RegExp(`[^"]:${port}\\b`))
  const { errors } = JSON.parse(text) as { errors?: { field: string }[] }
  if (headers['forecourt-complete'] === undefined || status !== 200) return
  expect(headers['forecourt-complete'], 'Forecourt-Complete').to.equal(String(errors?.length === 0))
  expect(new Set(errors?.map(({ field }) => field)).size, 'one entry per section').to.equal(errors?.length)
}
