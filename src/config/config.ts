import type { Mode } from '../tenant.ts'

export interface SystemConfig {
  adapter: string
  address: string
  /** The adapter's own settings, validated by its schema. */
  settings: Record<string, unknown>
  /** Limits that the file sets; the guard has defaults for the others. */
  limits: { timeoutMs?: number; concurrency?: number; searchConcurrency?: number; perMinute?: number; queue?: number }
  maxResponseBytes: number
  contact?: SupportContact
}

/** Whom support staff call. */
export interface SupportContact {
  name?: string
  phone?: string
  url?: string
}

/** The systems of one merchant and mode. Without `fitment`, vehicle fitment comes from the inventory; `imported` reads what `forecourt fitment import` stored. */
export interface SystemsConfig {
  inventory?: SystemConfig
  pricing?: SystemConfig
  accounting?: SystemConfig
  fitment?: SystemConfig | 'imported'
}

export interface MailConfig {
  /** `smtp://` or `smtps://`, with its password; `log:` writes emails to the log. */
  url: string
  from: string
}

/** The hours in which nobody is notified: times of day (`22:00`), also across midnight. */
export interface QuietHours {
  from: string
  to: string
  timeZone: string
}

/** A mailbox or a webhook that is notified of outages. */
export interface NotificationChannel {
  /** The same in all processes with this configuration. */
  id: string
  target: { kind: 'mail'; to: string } | { kind: 'webhook'; url: string; secret: string }
  /** `null`: all. */
  merchants: readonly string[] | null
  /** `null`: all; `store` is the store of Forecourt. */
  systems: readonly string[] | null
  /** Shorter outages are not reported. */
  afterMs: number
  quietHours: QuietHours | null
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

/** The catalog mirror of a merchant. */
export interface MirrorConfig extends SearchSettings {
  /** Older reads of the mirror are marked as stale. */
  maxAgeMs: number
}

/** What a merchant sets for the search of a mirror. */
export interface SearchSettings {
  boosts?: readonly BoostConfig[]
  /** Groups of words and phrases that find the same products. */
  synonyms?: readonly (readonly string[])[]
}

/** Raises the products of a brand, category or tag in lists by relevance, or lowers them if `boost` is negative. */
export interface BoostConfig {
  field: 'brand' | 'category' | 'tag'
  /** A brand, the id or slug of a category, or a tag. */
  value: string
  /** A whole number: each step counts like twice as many orders. */
  boost: number
}

export interface MerchantConfig {
  merchant: string
  name: string
  currency: string
  timeZone: string
  bands: { low: number; hysteresis: number }
  /** How long browsers may use catalog reads of live keys without asking again; 0 by default. */
  maxAgeSeconds?: number
  /** Catalog reads come from a copy of the catalog, and are marked as stale when it is older. Absent or `null`: reads ask the systems. */
  mirror?: MirrorConfig | null
  live: SystemsConfig
  /** `verified`: a new shopper must confirm the email address first. Default: `verified` in live mode, `immediate` in sandbox mode. */
  registration?: 'verified' | 'immediate'
  /** Emails to shoppers link to these pages of the merchant, with `?token=`. Without a page the email contains only the token. */
  mail?: {
    from?: string
    verifyUrl?: string
    resetUrl?: string
    /** The address that is notified when a webhook endpoint keeps failing. */
    alerts?: string
  }
  /** The secret that signs the back office's change hints: POST /hooks/{merchant}/{system}. Without it hints are refused. */
  hookSecret?: string
  /** Whom support staff call about systems without a contact of their own, webhook endpoints, imports and keys. */
  contact?: SupportContact
  /** `null`: sandbox keys use the embedded back office. */
  sandbox: SystemsConfig | null
  /** The fitment source of a merchant that uses the embedded back office. */
  sandboxFitment?: SystemConfig | 'imported'
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

/** Paths of the API's certificate, with its chain, and of its private key. */
export interface TlsFiles {
  cert: string
  key: string
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
