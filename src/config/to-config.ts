import { resolve } from 'node:path'
import { type PortName, portNames } from '../ports/system.ts'
import { BYTES_PER_MIB } from './bytes-per-mib.ts'
import type {
  BoostConfig,
  Config,
  LogConfig,
  MerchantConfig,
  MirrorConfig,
  SystemConfig,
  SystemsConfig,
} from './config.ts'
import { type ConfigFile, DEFAULT_ARCHIVE_AFTER_DAYS, DEFAULT_FINISH_S, DEFAULT_MEDIA_MIB } from './config-schema.ts'
import { readDefaultConfig, sqliteStoreIn } from './default-config.ts'
import type { BoostBlock, MerchantBlock, MerchantMailBlock, SystemBlock, SystemsBlock } from './merchant-schema.ts'
import { parsePort } from './parse-port.ts'
import type { Environment } from './process-environment.ts'
import { toAdapterSettings } from './to-adapter-settings.ts'
import { toContact } from './to-contact.ts'
import { toNotificationChannels } from './to-notification-channels.ts'
import { toOperationsConfig } from './to-operations-config.ts'
import { toWorkerCount } from './worker-count.ts'

const DEFAULT_BANDS = { low: 5, hysteresis: 2 }
const DEFAULT_MIRROR_AGE_S = 60
const DAY_MS = 86_400_000
const DEFAULT_MAX_RESPONSE_MIB = 16

/** Converts a valid file. Its paths are relative to `directory`, where the file is, so that a command finds the same store from anywhere. */
export function toConfig(file: ConfigFile, env: Environment, directory: string): Config {
  const defaults = readDefaultConfig(env)
  const dataDirectory = env.FORECOURT_DATA ? resolve(env.FORECOURT_DATA) : resolve(directory, file.data ?? 'data')
  const port = parsePort(env.PORT) ?? file.listen?.port ?? defaults.listen.port
  const merchants = Object.entries(file.merchants).map(([merchant, settings]) => toMerchantConfig(merchant, settings))
  return {
    listen: {
      host: env.FORECOURT_HOST || (file.listen?.host ?? defaults.listen.host),
      port,
      ...(file.listen?.tls && {
        tls: { cert: resolve(directory, file.listen.tls.cert), key: resolve(directory, file.listen.tls.key) },
      }),
    },
    ...toWorkers(file, env),
    ...(file.trusted_proxies && { trustedProxies: file.trusted_proxies }),
    operations: toOperationsConfig(file.operations, port),
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
    store: file.store ? toAbsoluteStore(file.store, directory) : sqliteStoreIn(dataDirectory),
    log: toLogConfig(file.log, directory),
    ...(file.mail && { mail: file.mail }),
    cacheBytes: file.cache?.max_mib ? file.cache.max_mib * BYTES_PER_MIB : defaults.cacheBytes,
    deadlineMs: file.deadline_ms ?? defaults.deadlineMs,
    webhooks: {
      keys: file.webhooks?.key ? [file.webhooks.key, ...(file.webhooks.previous_keys ?? [])].map(decodeKey) : null,
      ports: file.webhooks?.ports ?? defaults.webhooks.ports,
      allow: file.webhooks?.allow ?? defaults.webhooks.allow,
    },
    ...(file.notifications && { notifications: toNotificationChannels(file.notifications) }),
    ...(file.public_url && { publicUrl: file.public_url.replace(/\/+$/, '') }),
    media: { maxBytes: (file.media?.max_mib ?? DEFAULT_MEDIA_MIB) * BYTES_PER_MIB, allow: file.media?.allow ?? [] },
    orders: { orderDetailsMs: (file.orders?.archive_after_days ?? DEFAULT_ARCHIVE_AFTER_DAYS) * DAY_MS },
    feedIntervalMs: toFeedIntervalMs(file.feed?.interval_seconds, defaults.feedIntervalMs),
    embeddedSandbox: file.embedded_sandbox ?? !merchants.some(isLive),
    merchants,
  }
}

const toLogConfig = (log: ConfigFile['log'], directory: string): LogConfig => ({
  file: log?.file ? resolve(directory, log.file) : null,
  level: log?.level ?? 'info',
  ...(log?.level_names && { levelNames: true }),
  ...(log?.rfc3339 && { rfc3339: true }),
})

function toWorkers(file: ConfigFile, env: Environment): Pick<Config, 'workers'> {
  const setting = env.FORECOURT_WORKERS || file.workers
  return setting === undefined ? {} : { workers: toWorkerCount(setting) }
}

const isLive = ({ live }: MerchantConfig) => Object.keys(live).length > 0

const SQLITE = 'sqlite:'
function toAbsoluteStore(store: string, directory: string): string {
  const path = store.slice(SQLITE.length)
  return store.startsWith(SQLITE) && path !== ':memory:' ? SQLITE + resolve(directory, path) : store
}

const decodeKey = (base64: string) => Buffer.from(base64, 'base64')

const toFeedIntervalMs = (seconds: number | undefined, defaultMs: number | null) =>
  seconds === undefined ? defaultMs : seconds === 0 ? null : seconds * 1_000

function toMerchantConfig(merchant: string, file: MerchantBlock): MerchantConfig {
  return {
    merchant,
    name: file.name,
    currency: file.currency,
    timeZone: file.time_zone,
    bands: { ...DEFAULT_BANDS, ...file.bands },
    ...(file.max_age_seconds !== undefined && { maxAgeSeconds: file.max_age_seconds }),
    ...(file.registration && { registration: file.registration }),
    mirror: toMirrorConfig(file.mirror),
    ...(file.mail && { mail: toMerchantMailConfig(file.mail) }),
    ...(file.hook_secret && { hookSecret: file.hook_secret }),
    ...toContact(file.contact),
    live: toSystemsConfig(file.live ?? {}),
    ...toSandboxConfig(file.sandbox),
  }
}

function toMirrorConfig(file: MerchantBlock['mirror']): MirrorConfig | null {
  if (file === 'off') return null
  const { max_age_seconds = DEFAULT_MIRROR_AGE_S, boosts = [], synonyms = [] } = file ?? {}
  return {
    maxAgeMs: max_age_seconds * 1_000,
    ...(boosts.length > 0 && { boosts: boosts.map(toBoostConfig) }),
    ...(synonyms.length > 0 && { synonyms }),
  }
}

function toBoostConfig({ boost, ...fields }: BoostBlock): BoostConfig {
  const [[field, value]] = Object.entries(fields) as [[BoostConfig['field'], string]]
  return { field, value, boost }
}

function toMerchantMailConfig(file: MerchantMailBlock): NonNullable<MerchantConfig['mail']> {
  return {
    ...(file.from && { from: file.from }),
    ...(file.alerts && { alerts: file.alerts }),
    ...(file.verify_url && { verifyUrl: file.verify_url }),
    ...(file.reset_url && { resetUrl: file.reset_url }),
  }
}

/** A block that names only fitment leaves the other systems to the embedded back office; an empty block names no system at all. */
function toSandboxConfig(file: SystemsBlock | undefined): Pick<MerchantConfig, 'sandbox' | 'sandboxFitment'> {
  if (!file) return { sandbox: null }
  const { fitment, ...systems } = toSystemsConfig(file)
  if (fitment && Object.keys(systems).length === 0) return { sandbox: null, sandboxFitment: fitment }
  return { sandbox: { ...systems, ...(fitment && { fitment }) } }
}

function toSystemsConfig(file: SystemsBlock): SystemsConfig {
  const convert = (system: NonNullable<SystemsBlock[PortName]>) =>
    system === 'imported' ? system : toSystemConfig(system)
  return Object.fromEntries(portNames.flatMap((port) => (file[port] ? [[port, convert(file[port])]] : [])))
}

function toSystemConfig(file: SystemBlock): SystemConfig {
  return {
    adapter: file.adapter,
    address: file.address.replace(/\/+$/, ''),
    settings: toAdapterSettings(file),
    ...toContact(file.contact),
    limits: {
      ...(file.limits?.timeout_ms !== undefined && { timeoutMs: file.limits.timeout_ms }),
      ...(file.limits?.concurrency !== undefined && { concurrency: file.limits.concurrency }),
      ...(file.limits?.search_concurrency !== undefined && { searchConcurrency: file.limits.search_concurrency }),
      ...(file.limits?.per_minute !== undefined && { perMinute: file.limits.per_minute }),
      ...(file.limits?.queue !== undefined && { queue: file.limits.queue }),
    },
    maxResponseBytes: (file.limits?.max_response_mib ?? DEFAULT_MAX_RESPONSE_MIB) * BYTES_PER_MIB,
  }
}
