import type { Mode } from '../tenant.ts'
import type { MerchantConfig } from './merchant-config.ts'
import type { NotificationChannel } from './notification-channel.ts'
import type { SupportContact } from './support-contact.ts'
import type { TlsFiles } from './tls/tls-pair.ts'

export interface MailConfig {
  /** `smtp://` or `smtps://`, with its password; `log:` writes emails to the log. */
  url: string
  from: string
}

/** The log. `file: null`: it goes to standard output. */
export interface LogConfig {
  file: string | null
  level: string
  /** Levels are names rather than numbers. */
  levelNames?: boolean
  /** Times are RFC 3339 rather than milliseconds since the epoch. */
  rfc3339?: boolean
}

export interface WebhooksConfig {
  /** Keys of 32 bytes: the first encrypts signing secrets, all of them decrypt. `null`: the key in the data directory. */
  keys: Buffer[] | null
  /** Ports that an endpoint may have. */
  ports: readonly number[]
  /** Private hosts (`localhost`, `10.1.2.3:9000`) that endpoints may have, also over http: for development. */
  allow: readonly string[]
}

export interface MediaConfig {
  /** The size limit of the pictures in one data directory. */
  maxBytes: number
  /** Private hosts that a picture link may point to, in the format of `webhooks.allow`. */
  allow: readonly string[]
}

/** The operations listener: the console, behind a sign-in, and the health probes. */
export interface OperationsConfig {
  host: string
  port: number
  /** Serves `/metrics` there too, without a session. */
  metrics: boolean
  /** The URL that operators' browsers use, when there is a proxy in front: `https://…` makes the cookies Secure. */
  url?: string
  /** Whom support staff call about this Forecourt: its store, its machines, its configuration. */
  contact?: SupportContact
}

export interface TracingConfig {
  /** The URL of an OTLP collector over HTTP: `http://127.0.0.1:4318/v1/traces`. */
  endpoint: string
  /** The share, 0..1, of requests to trace that carry no sampling decision. */
  sample: number
  headers: Readonly<Record<string, string>>
  /** The time limit of one batch of spans, and of the last ones at shutdown; two seconds by default. */
  sendTimeoutMs?: number
}

export interface Config {
  /** Without `tls` the API speaks plain HTTP. */
  listen: { host: string; port: number; tls?: TlsFiles }
  /** The processes that share the listeners and the store, under a primary process. Absent: one process, without a primary. */
  workers?: number
  /** Addresses, CIDRs and the word `loopback`: proxies whose forwarding headers are believed. Absent: not configured; empty: there is none. */
  trustedProxies?: readonly string[]
  /** The listener for Prometheus text; `null`: none. */
  metrics: { host: string; port: number } | null
  /** Absent or `null`: no operations listener. */
  operations?: OperationsConfig | null
  /** Absent: no spans are recorded. */
  tracing?: TracingConfig
  /** Shutdown: for `delayMs` it still accepts requests while it reports that it is not ready; then requests in progress get `finishMs`. */
  drain?: { delayMs: number; finishMs: number }
  dataDirectory: string
  /** `sqlite:<path>` or `postgres://…`, with its password. */
  store: string
  log: LogConfig
  /** Absent: no email is sent. */
  mail?: MailConfig
  cacheBytes: number
  /** The time from the arrival of a request to its response. */
  deadlineMs: number
  webhooks: WebhooksConfig
  /** The API's URL for shoppers' browsers, without a trailing slash: picture URLs begin with it. Absent: the address where it listens. */
  publicUrl?: string
  media?: MediaConfig
  /** Who is notified of outages. Absent: nobody. */
  notifications?: readonly NotificationChannel[]
  /** Absent: orders keep their details forever. */
  orders?: { orderDetailsMs: number }
  /** The interval of the change feed's polls; `null`: it does not poll. */
  feedIntervalMs: number | null
  /** `false`: sandbox keys of merchants without sandbox systems are refused. The file's default is `false` when a merchant is live. */
  embeddedSandbox?: boolean
  /** The mode of responses to requests without a key. Absent: live. */
  keylessMode?: Mode
  merchants: MerchantConfig[]
}
