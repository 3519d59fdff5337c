import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type PortName, portNames } from '../ports/system.ts'
import { ConfigError } from './config-error.ts'
import {
  type ConfigFile,
  DEFAULT_DEADLINE_MS,
  DEFAULT_FINISH_S,
  DEFAULT_MEDIA_MIB,
  type MerchantMailFile,
  type OperationsFile,
  type SystemFile,
  type SystemsFile,
} from './config-schema.ts'
import { parseYaml } from './parse-yaml.ts'
import { type Environment, substituteVariables, withVariableName } from './substitute-variables.ts'
import { type AdapterRegistry, toAdapterSettings, validateConfigFile } from './validate-config-file.ts'

export type Mode = 'live' | 'sandbox'

export interface SystemConfig {
  adapter: string
  address: string
  /** Judged by the adapter's schema. */
  settings: Record<string, unknown>
  /** What the file sets; the guard has defaults for the rest. */
  limits: { timeoutMs?: number; concurrency?: number; queue?: number }
  maxResponseBytes: number
}

/** Without `fitment`, vehicles are the inventory's; `imported` is what `forecourt fitment import` keeps in the store. */
export interface SystemsConfig {
  inventory?: SystemConfig
  pricing?: SystemConfig
  accounting?: SystemConfig
  fitment?: SystemConfig | 'imported'
}

export interface MailConfig {
  /** `smtp://` or `smtps://`, with its password; `log:` writes letters to the log. */
  url: string
  from: string
}

export interface MerchantConfig {
  merchant: string
  name: string
  currency: string
  timeZone: string
  bands: { low: number; hysteresis: number }
  live: SystemsConfig
  /** Whether every new shopper must prove the mailbox first. Live: `verified` when it is not said; sandbox: `immediate`. */
  registration?: 'verified' | 'immediate'
  /** The merchant's pages that a letter's token is handed to, as `?token=`; without one the letter has the bare token. */
  mail?: {
    from?: string
    verifyUrl?: string
    resetUrl?: string
    /** Who is written to when an endpoint of the merchant's keeps failing. */
    alerts?: string
  }
  /** What the back office signs its hints with: POST /hooks/{merchant}/{system}. Without one they are refused. */
  hookSecret?: string
  /** `null`: the embedded back office stands in. */
  sandbox: SystemsConfig | null
  /** Beside the embedded back office, where vehicle fitment has a source of its own. */
  sandboxFitment?: SystemConfig | 'imported'
}

export interface WebhooksConfig {
  /** 32 bytes each: the first seals signing secrets, all of them open. `null`: one that is kept in the data directory. */
  keys: Buffer[] | null
  /** That an endpoint may have. */
  ports: readonly number[]
  /** Hosts (`localhost`, `10.1.2.3:9000`) that may be private, and be reached over http: for trying out. */
  allow: readonly string[]
}

export interface MediaConfig {
  /** Of pictures on the disk of one data directory. */
  maxBytes: number
  /** Hosts that a link to a picture may lead to though they are private: as `webhooks.allow`. */
  allow: readonly string[]
}

/** Where those on call look: pages behind a sign-in, and the probes. */
export interface OperationsConfig {
  host: string
  port: number
  /** `/metrics` is answered there to whoever asks, without a session. */
  metrics: boolean
  /** As operators' browsers reach it, when something stands in front: `https://…` makes its cookies Secure. */
  url?: string
}

export interface TracingConfig {
  /** Of an OTLP collector over HTTP: `http://127.0.0.1:4318/v1/traces`. */
  endpoint: string
  /** Of requests that come without a decision of their own, 0..1. */
  sample: number
  headers: Readonly<Record<string, string>>
}

export interface Config {
  listen: { host: string; port: number }
  /** Prometheus text, on a listener of its own; `null`: none. */
  metrics: { host: string; port: number } | null
  /** Left out or `null`: no operations listener. */
  operations?: OperationsConfig | null
  /** Left out: no spans are made. */
  tracing?: TracingConfig
  /** When it is told to stop: how long it goes on answering while it says that it is not ready, and then finishes what is under way. */
  drain?: { delayMs: number; finishMs: number }
  dataDirectory: string
  /** `sqlite:<path>` or `postgres://…`, with its password. */
  store: string
  log: { file: string | null; level: string }
  /** Letters are not sent without. */
  mail?: MailConfig
  cacheBytes: number
  /** From a request's arrival to its answer. */
  deadlineMs: number
  webhooks: WebhooksConfig
  /** The API as shoppers' browsers reach it, without a slash at the end: pictures' addresses begin with it. Left out: where it listens. */
  publicUrl?: string
  media?: MediaConfig
  /** How often each system is asked what has changed; `null`: never. */
  feedIntervalMs: number | null
  merchants: MerchantConfig[]
}

export const environment: Environment = process.env

const MIB = 1_048_576
const LAST_PORT = 65_535

export function readDefaultConfig(env: Environment = environment): Omit<Config, 'merchants'> {
  const dataDirectory = resolve(env.FORECOURT_DATA ?? 'data')
  return {
    listen: { host: env.FORECOURT_HOST ?? '127.0.0.1', port: portOf(env.PORT) ?? 8080 },
    metrics: null,
    operations: operationsOf(undefined, portOf(env.PORT) ?? 8080),
    dataDirectory,
    store: storeIn(dataDirectory),
    log: { file: null, level: 'info' },
    cacheBytes: 256 * MIB,
    deadlineMs: DEFAULT_DEADLINE_MS,
    webhooks: { keys: null, ports: [443], allow: [] },
    feedIntervalMs: 5_000,
  }
}

const SQLITE = 'sqlite:'
function storeBeside(store: string, beside: string): string {
  const path = store.slice(SQLITE.length)
  return store.startsWith(SQLITE) && path !== ':memory:' ? SQLITE + resolve(beside, path) : store
}

const storeIn = (directory: string) => `sqlite:${join(directory, 'forecourt.db')}`

function portOf(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new ConfigError('The environment', [
    { path: 'PORT', mistake: `"${text}" is not a port`, remedy: 'Give a number from 0 to 65535' },
  ])
}

/** Reads and judges a configuration file. Throws ConfigInvalid with all that is wrong in it. */
export function readConfig(file: string, adapters: AdapterRegistry, env: Environment = environment): Config {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(file, [
      {
        path: '',
        mistake: code === 'ENOENT' ? 'no such file' : `cannot be read (${code})`,
        remedy: 'Give the path of a forecourt.yaml',
      },
    ])
  }
  return parseConfig(text, file, adapters, env)
}

export function parseConfig(text: string, source: string, adapters: AdapterRegistry, env: Environment): Config {
  const filled = substituteVariables(parseYaml(text, source), env)
  // What the environment lacks is not judged as well.
  const judged = validateConfigFile(filled, adapters)
    .filter(({ path }) => !filled.lacking.has(path))
    .map((one) => withVariableName(one, filled.whole.get(one.path)))
  const mistakes = [...filled.mistakes, ...judged]
  if (mistakes.length > 0) throw new ConfigError(source, mistakes)
  return configOf(filled.value as ConfigFile, env, dirname(source))
}

/** Paths that the file names begin where it stands, so that a command works on the same store wherever it is run. */
function configOf(file: ConfigFile, env: Environment, beside: string): Config {
  const base = readDefaultConfig(env)
  const dataDirectory = env.FORECOURT_DATA ? resolve(env.FORECOURT_DATA) : resolve(beside, file.data ?? 'data')
  const port = portOf(env.PORT) ?? file.listen?.port ?? base.listen.port
  return {
    listen: { host: env.FORECOURT_HOST ?? file.listen?.host ?? base.listen.host, port },
    operations: operationsOf(file.operations, port),
    ...(file.tracing && {
      tracing: {
        endpoint: file.tracing.endpoint,
        sample: file.tracing.sample ?? 1,
        headers: file.tracing.headers ?? {},
      },
    }),
    drain: {
      delayMs: (file.drain?.delay_seconds ?? 0) * 1_000,
      finishMs: (file.drain?.finish_seconds ?? DEFAULT_FINISH_S) * 1_000,
    },
    metrics: file.metrics ? { host: file.metrics.host ?? '127.0.0.1', port: file.metrics.port } : null,
    dataDirectory,
    store: file.store ? storeBeside(file.store, beside) : storeIn(dataDirectory),
    log: { file: file.log?.file ? resolve(beside, file.log.file) : null, level: file.log?.level ?? 'info' },
    ...(file.mail && { mail: file.mail }),
    cacheBytes: file.cache?.max_mib ? file.cache.max_mib * MIB : base.cacheBytes,
    deadlineMs: file.deadline_ms ?? base.deadlineMs,
    webhooks: {
      keys: file.webhooks?.key ? [file.webhooks.key, ...(file.webhooks.previous_keys ?? [])].map(keyOf) : null,
      ports: file.webhooks?.ports ?? base.webhooks.ports,
      allow: file.webhooks?.allow ?? base.webhooks.allow,
    },
    ...(file.public_url && { publicUrl: file.public_url.replace(/\/+$/, '') }),
    media: { maxBytes: (file.media?.max_mib ?? DEFAULT_MEDIA_MIB) * MIB, allow: file.media?.allow ?? [] },
    feedIntervalMs: feedInterval(file.feed?.interval_seconds, base.feedIntervalMs),
    merchants: Object.entries(file.merchants).map(([merchant, settings]) => ({
      merchant,
      name: settings.name,
      currency: settings.currency,
      timeZone: settings.time_zone,
      bands: { low: settings.bands?.low ?? 5, hysteresis: settings.bands?.hysteresis ?? 2 },
      ...(settings.registration && { registration: settings.registration }),
      ...(settings.mail && { mail: lettersOf(settings.mail) }),
      ...(settings.hook_secret && { hookSecret: settings.hook_secret }),
      live: systemsOf(settings.live ?? {}),
      ...sandboxOf(settings.sandbox),
    })),
  }
}

/** Beside the API, on its next port (or the one before, where there is none); where the API takes any port, so does this. */
function operationsOf(file: OperationsFile | undefined, apiPort: number): OperationsConfig | null {
  if (file?.enabled === false) return null
  return {
    host: file?.host ?? '127.0.0.1',
    port: file?.port ?? (apiPort === 0 ? 0 : apiPort === LAST_PORT ? apiPort - 1 : apiPort + 1),
    metrics: file?.metrics ?? false,
    ...(file?.url && { url: file.url }),
  }
}

const feedInterval = (seconds: number | undefined, usual: number | null) =>
  seconds === undefined ? usual : seconds === 0 ? null : seconds * 1_000

const keyOf = (base64: string) => Buffer.from(base64, 'base64')

function lettersOf({ from, verify_url, reset_url, alerts }: MerchantMailFile): NonNullable<MerchantConfig['mail']> {
  return {
    ...(from && { from }),
    ...(alerts && { alerts }),
    ...(verify_url && { verifyUrl: verify_url }),
    ...(reset_url && { resetUrl: reset_url }),
  }
}

/** A block that names fitment alone leaves the rest to the embedded back office; an empty one names no system at all. */
function sandboxOf(file: SystemsFile | undefined): Pick<MerchantConfig, 'sandbox' | 'sandboxFitment'> {
  if (!file) return { sandbox: null }
  const { fitment, ...others } = systemsOf(file)
  if (fitment && Object.keys(others).length === 0) return { sandbox: null, sandboxFitment: fitment }
  return { sandbox: { ...others, ...(fitment && { fitment }) } }
}

function systemsOf(file: SystemsFile): SystemsConfig {
  const configOf = (of: NonNullable<SystemsFile[PortName]>) => (of === 'imported' ? of : systemOf(of))
  const found = portNames.flatMap((source) => (file[source] ? [[source, configOf(file[source])] as const] : []))
  return Object.fromEntries(found)
}

function systemOf(file: SystemFile): SystemConfig {
  return {
    adapter: file.adapter,
    address: file.address.replace(/\/+$/, ''),
    settings: toAdapterSettings(file),
    limits: {
      ...(file.limits?.timeout_ms !== undefined && { timeoutMs: file.limits.timeout_ms }),
      ...(file.limits?.concurrency !== undefined && { concurrency: file.limits.concurrency }),
      ...(file.limits?.queue !== undefined && { queue: file.limits.queue }),
    },
    maxResponseBytes: (file.limits?.max_response_mib ?? 16) * MIB,
  }
}
