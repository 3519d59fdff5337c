import { resolve } from 'node:path'
import type { Config, LogConfig } from '../config.ts'
import type { Environment } from '../environment/process-environment.ts'
import type { MerchantConfig } from '../merchant-config.ts'
import type { ConfigFile } from '../schema/config-file-schema.ts'
import { sqliteStoreIn, toAbsoluteStore } from '../store-address.ts'
import { BYTES_PER_MIB } from './bytes-per-mib.ts'
import { readDefaultConfig } from './default-config.ts'
import { DEFAULT_ARCHIVE_AFTER_DAYS, DEFAULT_FINISH_S, DEFAULT_MEDIA_MIB } from './default-settings.ts'
import { parsePort } from './parse-port.ts'
import { toMerchantConfig } from './to-merchant-config.ts'
import { toNotificationChannels } from './to-notification-channels.ts'
import { toOperationsConfig } from './to-operations-config.ts'
import { toWorkerCount } from './worker-count.ts'

const DAY_MS = 86_400_000
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

const decodeKey = (base64: string) => Buffer.from(base64, 'base64')

const toFeedIntervalMs = (seconds: number | undefined, defaultMs: number | null) =>
  seconds === undefined ? defaultMs : seconds === 0 ? null : seconds * 1_000
