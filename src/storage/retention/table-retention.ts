const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

interface Retention {
  /** How long a row is kept after the time in its `timeColumn`. */
  retentionMs: number
  keyColumn: string
  timeColumn: string
}

/** Tokens are kept for an hour after they expire, so that small differences between clocks do not matter. */
const AFTER_EXPIRY = { retentionMs: HOUR_MS, keyColumn: 'digest', timeColumn: 'expires_at' } as const

export const retentionByTable = {
  shopper_sessions: AFTER_EXPIRY,
  refresh_tokens: AFTER_EXPIRY,
  mailbox_tokens: AFTER_EXPIRY,
  idempotency_keys: AFTER_EXPIRY,
  operator_sessions: AFTER_EXPIRY,
  sign_in_addresses: AFTER_EXPIRY,
  back_in_stock_requests: { retentionMs: 0, keyColumn: 'request_id', timeColumn: 'expires_at' },
  attempt_counters: { retentionMs: 0, keyColumn: 'digest', timeColumn: 'ends_at' },
  /** Long enough to look back over a year. */
  audit_log: { retentionMs: 400 * DAY_MS, keyColumn: 'entry_id', timeColumn: 'at' },
  process_starts: { retentionMs: 30 * DAY_MS, keyColumn: 'start_id', timeColumn: 'at' },
  outage_notices: { retentionMs: 30 * DAY_MS, keyColumn: 'notice_id', timeColumn: 'seen_at' },
  /** Longer than their incidents. */
  incident_notes: { retentionMs: 60 * DAY_MS, keyColumn: 'note_id', timeColumn: 'at' },
  /** Longer than any hold lasts. */
  directives: { retentionMs: 30 * DAY_MS, keyColumn: 'directive_id', timeColumn: 'created_at' },
  /** Deliveries are deleted before their events, so that no delivery is left without its event. */
  deliveries: { retentionMs: 30 * DAY_MS, keyColumn: 'delivery_id', timeColumn: 'created_at' },
  events: { retentionMs: 30 * DAY_MS, keyColumn: 'event_id', timeColumn: 'created_at' },
  /** Until then its shopper gets `cart_expired` instead of `not_found`. */
  carts: { retentionMs: 30 * DAY_MS, keyColumn: 'cart_id', timeColumn: 'expires_at' },
} as const satisfies Record<string, Retention>

export type ExpiringTable = keyof typeof retentionByTable
