import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, type OutgoingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { adapters } from '../../src/adapters.ts'
import type {
  MailConfig,
  MediaConfig,
  MerchantConfig,
  OperationsConfig,
  SystemConfig,
  SystemsConfig,
  TracingConfig,
  WebhooksConfig,
} from '../../src/config/config.ts'
import { type System, systems } from '../../src/ports/system.ts'
import { type ForecourtParts, startForecourt } from '../../src/runtime/start.ts'
import type { Fault } from '../../src/sandbox/control/fault-injection.ts'
import type { Database } from '../../src/storage/database.ts'
import { randomBase62, sha256Hex } from '../../src/storage/keys/api-key-format.ts'
import { type ApiKey, issueApiKey, type NewApiKey } from '../../src/storage/keys/api-keys.ts'
import { exchange, type Reply } from './http-exchange.ts'
import { createOpenApiChecks } from './openapi-checks.ts'
import { type SandboxSystems, startSandboxSystems, stopSandboxSystems } from './sandbox-systems.ts'

export type { Reply } from './http-exchange.ts'

export interface ApiRequest {
  key?: string
  method?: string
  headers?: OutgoingHttpHeaders
  body?: unknown
}

/** The three systems of an account, as a merchant's configuration names them. */
export type SystemsOf = (account: string, limits?: SystemConfig['limits']) => SystemsConfig

export interface ApiOptions extends Pick<ForecourtParts, 'now' | 'serverLimits'> {
  deadlineMs?: number
  /** An empty store of its own, when it is not said. */
  store?: string
  mail?: MailConfig
  webhooks?: WebhooksConfig
  media?: MediaConfig
  tracing?: TracingConfig
  /** With pages for those on call, on a free port. */
  operations?: Partial<OperationsConfig>
  publicUrl?: string
  /** One of its own, when it is not said. */
  dataDirectory?: string
  /** The change feed rests, when it is not said. */
  feedIntervalMs?: number
  /** Beside acme and zenith. */
  merchants?: (of: SystemsOf) => Partial<MerchantConfig>[]
}

export interface Api extends AsyncDisposable {
  address: string
  /** Of the pages for those on call, with `operations`. */
  operationsAddress: string
  db: Database
  /** `sqlite:<path>`, for another process. */
  store: string
  systems: SandboxSystems
  /** Any exchange; its answer is judged by the published document, and by what every answer must hold. */
  ask(path: string, asked?: ApiRequest): Promise<Reply>
  /** A publishable sandbox key of acme, unless it is said otherwise. */
  key(request?: Partial<NewApiKey>): Promise<string>
  issue(request?: Partial<NewApiKey>): Promise<{ key: string; record: ApiKey }>
  /** A shopper token of acme's sandbox for customer C-1001, unless it is said otherwise. */
  shopper(session?: {
    merchant?: string
    mode?: 'live' | 'sandbox'
    customer?: string
    expiresAt?: string
    revokedAt?: string
  }): Promise<string>
  fault(system: System, fault: Fault): Promise<void>
  well(): Promise<void>
  /** Ends the API, and gives the lines that it logged. */
  logged(): Promise<string>
}

/** The API over three embedded systems, with the merchants acme (embedded sandbox) and zenith (a configured one). */
export async function startApi(options: ApiOptions = {}): Promise<Api> {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'forecourt-api-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const running = await startSandboxSystems(directory)
  stack.defer(() => stopSandboxSystems(running))
  const of = systemsOf(running)
  const store = options.store ?? `sqlite:${join(directory, 'forecourt.db')}`
  const log = { file: join(directory, 'forecourt.log'), level: 'info' }
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
      ...(options.publicUrl && { publicUrl: options.publicUrl }),
      cacheBytes: 64 * 1_048_576,
      // Long, unless a test asks how long anything takes: a busy machine may need it.
      deadlineMs: options.deadlineMs ?? 30_000,
      webhooks: options.webhooks ?? { keys: [Buffer.alloc(32, 7)], ports: [443], allow: ['127.0.0.1', 'localhost'] },
      feedIntervalMs: options.feedIntervalMs ?? null,
      merchants: [
        merchantOf({ merchant: 'acme', live: of('acme-live') }),
        merchantOf({ merchant: 'zenith', live: of('zenith-live'), sandbox: of('zenith') }),
        ...(options.merchants?.(of).map(merchantOf) ?? []),
      ],
    },
    adapters,
    embedded: (merchant) => of(merchant),
    ...options,
  })
  let ended: PromiseLike<void> | undefined
  const end = () => {
    ended ??= forecourt[Symbol.asyncDispose]()
    return ended
  }
  stack.defer(end)
  const agent = new Agent({ keepAlive: true })
  stack.defer(() => agent.destroy())
  const { address, db } = forecourt
  const operationsAddress = forecourt.operationsAddress ?? ''
  const judge = createOpenApiChecks((await exchange(address, '/openapi.json')).body)
  const held = stack.move()
  const issue = (request?: Partial<NewApiKey>) =>
    issueApiKey(db, { merchant: 'acme', kind: 'publishable', mode: 'sandbox', rate: 1_000_000, ...request })

  return {
    ...{ address, operationsAddress, db, store, systems: running },
    async ask(path, { key, headers = {}, method, body } = {}) {
      const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
      const sent = { headers: { ...authorization, ...headers }, ...(method && { method }), body }
      const reply = await exchange(address, path, sent, agent)
      judge({ method: method ?? (body === undefined ? 'GET' : 'POST'), path, ...reply })
      holdsAlways(reply, String(sent.headers.authorization ?? ''), running)
      return reply
    },
    issue,
    key: async (request) => (await issue(request)).key,
    async shopper({ merchant = 'acme', mode = 'sandbox', customer = 'C-1001', expiresAt, revokedAt } = {}) {
      const token = randomBase62(43)
      const values = {
        digest: sha256Hex(token),
        tenant_id: merchant,
        mode,
        customer_id: customer,
        revoked_at: revokedAt ?? null,
      }
      const times = { created_at: '2026-01-01T00:00:00.000Z', expires_at: expiresAt ?? '2999-01-01T00:00:00.000Z' }
      await db
        .insertInto('shopper_sessions')
        .values({ ...values, ...times })
        .execute()
      return token
    },
    fault: (system, fault) => running[system].setFault(fault),
    well: async () => void (await Promise.all(systems.map((system) => running[system].setFault({})))),
    async logged() {
      await end()
      return readFile(log.file, 'utf8')
    },
    [Symbol.asyncDispose]: async () => held.disposeAsync(),
  }
}

function systemsOf(running: SandboxSystems): SystemsOf {
  const rest = { adapter: 'rest', settings: { token: 'sandbox' }, maxResponseBytes: 16 * 1_048_576 }
  return (account, limits = { timeoutMs: 20_000 }) =>
    Object.fromEntries(
      systems.map((system) => [system, { ...rest, limits, address: `${running[system].address}/${account}` }]),
    )
}

function merchantOf(given: Partial<MerchantConfig>): MerchantConfig {
  const bands = { low: 5, hysteresis: 2 }
  return {
    merchant: '',
    name: 'Parts',
    currency: 'JMD',
    timeZone: 'America/Jamaica',
    bands,
    live: {},
    sandbox: null,
    ...given,
  }
}

/** Where a merchant asked to have events sent: here, to a receiver of the test. */
const ENDPOINT = /"endpoint_url":"[^"]*"/
const PICTURES = /http:\/\/127\.0\.0\.1:\d+\/media\/[\w.-]+/g
/** What only an upstream, an address or a stack would say. */
const FOREIGN =
  /127\.0\.0\.1|localhost|ECONN|this failure was asked for|garbage|X-Sandbox-Fault|node:|\.ts:\d|there is no such/

function holdsAlways({ status, headers, text }: Reply, authorization: string, running: SandboxSystems): void {
  const mode = /^(Bearer +)?svc_test_/i.test(authorization) ? 'sandbox' : 'live'
  expect(headers['x-service-mode'], 'X-Service-Mode').to.equal(mode)
  expect(headers['x-request-id'], 'X-Request-Id').to.match(/^[A-Za-z0-9._-]{1,128}$/)
  if (!text.startsWith('{') || text.startsWith('{"openapi"')) return
  const said = `${JSON.stringify(headers)}${text.replace(PICTURES, '').replace(ENDPOINT, '')}`
  if (status !== 422) expect(said).to.not.match(FOREIGN)
  for (const { port } of Object.values(running)) expect(said).to.not.include(`:${port}`)
  const { errors } = JSON.parse(text) as { errors?: { field: string }[] }
  if (headers['forecourt-complete'] === undefined || status !== 200) return
  expect(headers['forecourt-complete'], 'Forecourt-Complete').to.equal(String(errors?.length === 0))
  expect(new Set(errors?.map(({ field }) => field)).size, 'one entry a section').to.equal(errors?.length)
}
