export type UncheckedObject = { [member: string]: unknown } | null | undefined

interface UncheckedListener {
  host?: unknown
  port?: unknown
}

/** The value of a configuration file, whose shape may be wrong anywhere. */
export type UncheckedConfigFile = {
  deadline_ms?: unknown
  workers?: unknown
  data?: unknown
  store?: unknown
  mail?: UncheckedObject
  listen?: UncheckedListener | null
  operations?: UncheckedListener | null
  metrics?: UncheckedListener | null
  public_url?: unknown
  trusted_proxies?: unknown
  merchants?: Record<string, UncheckedObject> | null
} | null
