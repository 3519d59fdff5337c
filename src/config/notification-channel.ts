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
