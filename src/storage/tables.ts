import type { DiagnosticsTables } from './diagnostics/diagnostics-tables.ts'
import type { FitmentTables } from './fitment/fitment-tables.ts'

/**
 * The rows as they are stored, in SQLite and PostgreSQL alike: times are RFC 3339 UTC text with milliseconds (so that they sort),
 * lists and documents are JSON text, secrets are SHA-256 digests in hex, amounts are decimal text.
 */
export interface Tables extends FitmentTables, DiagnosticsTables {
  api_keys: {
    key_id: string
    digest: string
    /** The first characters and the last four, to recognise a key by. */
    hint: string
    tenant_id: string
    kind: 'publishable' | 'secret'
    mode: 'live' | 'sandbox'
    scopes: string
    allowed_origins: string
    rate_limit_per_minute: number
    label: string | null
    created_at: string
    expires_at: string | null
    revoked_at: string | null
    last_used_at: string | null
  }
  /** What all processes have counted of a key's requests in its minute. */
  key_use: {
    key_id: string
    ends_at: string
    count: number
  }
  /** Which key seals in this store: one row. */
  seals: {
    name: string
    key_id: string
  }
  /** What the addresses of pictures are signed with, base64: one row. */
  picture_key: {
    name: string
    key: string
  }
  /** Access tokens. */
  shopper_sessions: {
    digest: string
    tenant_id: string
    mode: 'live' | 'sandbox'
    customer_id: string
    /** The sign-in that it came from: `null` only in rows older than sign-in. */
    family_id: string | null
    created_at: string
    expires_at: string
    revoked_at: string | null
  }
  shoppers: {
    shopper_id: string
    tenant_id: string
    mode: 'live' | 'sandbox'
    /** Lower case; unique in a tenant and mode. */
    email: string
    /** PHC string of argon2id. */
    password_hash: string
    /** The customer in the back office; `null` until one is linked or made. */
    customer_id: string | null
    verified_at: string | null
    created_at: string
    updated_at: string
  }
  /** One row a refresh token; used ones stay, so that reuse is noticed. */
  refresh_tokens: {
    digest: string
    family_id: string
    shopper_id: string
    created_at: string
    expires_at: string
    used_at: string | null
    revoked_at: string | null
  }
  /** What is sent to a mailbox to prove it: single use. */
  mailbox_tokens: {
    digest: string
    tenant_id: string
    mode: 'live' | 'sandbox'
    purpose: 'verify' | 'reset'
    email: string
    /** JSON: what waits for the proof. */
    payload: string
    created_at: string
    expires_at: string
    used_at: string | null
  }
  carts: {
    cart_id: string
    tenant_id: string
    mode: 'live' | 'sandbox'
    customer_id: string
    state: 'ACTIVE' | 'CONVERTED' | 'EXPIRED'
    /** Rises with every change. */
    version: number
    /** JSON: the lines as they were put in. */
    lines: string
    /** JSON: the promotion codes that were taken. */
    promotions: string
    /** JSON: the last pricing, and the version that it is of; `null`: never priced. */
    pricing: string | null
    /** The order that this cart became, or is being made into. */
    order_id: string | null
    created_at: string
    updated_at: string
    expires_at: string
  }
  /** Orders placed here: at most one a cart, for ever. */
  orders: {
    /** Also the reference that the ledger knows it by. */
    order_id: string
    tenant_id: string
    mode: 'live' | 'sandbox'
    customer_id: string
    cart_id: string
    status: 'PENDING' | 'CONFIRMED' | 'REJECTED' | 'CANCELLED'
    /** What the ledger was asked to make: JSON of an OrderDraft, never changed, so that asking again is the same question. */
    draft: string
    /** JSON of the order as the ledger last gave it; `null` until it did. */
    placed: string | null
    /** Whether the shopper was told that it is being processed. */
    told: number
    /** Who is on it, until when; after that any process may take it over. */
    leased_until: string
    attempts: number
    reject_reason: string | null
    created_at: string
    updated_at: string
  }
  idempotency_keys: {
    /** SHA-256 over tenant, mode, customer, method, route and key. */
    digest: string
    tenant_id: string
    /** SHA-256 over the canonical request (RFC 8785). */
    fingerprint: string
    state: 'in_flight' | 'applied' | 'done'
    /** Of whom it is in flight: another may take it over after that. */
    locked_until: string
    /** JSON that the applied change left for whoever finishes the answer. */
    applied: string | null
    status: number | null
    body: string | null
    created_at: string
    expires_at: string
  }
  /** The outbox: written in the transaction that causes the event, and kept for 30 days. */
  events: {
    event_id: string
    tenant_id: string
    mode: 'live' | 'sandbox'
    type: string
    resource_type: string
    resource_id: string
    /** Rises by one for each event of a resource. */
    sequence: number
    /** JSON. */
    data: string
    created_at: string
  }
  /** What events were told of, each with what was last told: the row is held while an event of it is written. */
  resources: {
    tenant_id: string
    mode: 'live' | 'sandbox'
    type: string
    id: string
    /** Of its last event; 0: none yet. */
    sequence: number
    /** JSON of what was last seen of it, as its feed compares it; `null`: never seen. */
    state: string | null
    /** YYYY-MM-DD: the day that changes it without anybody's doing, as an invoice's due date does; `null`: none. */
    due_on: string | null
    /** When it was last compared with the back office. */
    checked_at: string
  }
  /** How far a merchant's change feed has come in one source. */
  feeds: {
    tenant_id: string
    mode: 'live' | 'sandbox'
    /** 'products', 'stock', 'prices', 'orders' or 'invoices'. */
    source: string
    /** The newest change time of the system that was seen, by its clock; `null`: none yet. */
    watermark: string | null
    /** When it was first seen, by ours: rows that become visible late may still come for a while after. */
    reached_at: string
    /** When this feed began: what happened before is not told of. */
    began_at: string
    /** 1 until all that was there at the beginning has been seen once. */
    baseline: number
  }
  /** Work that one process does for all. */
  leases: {
    name: string
    holder: string
    until: string
    /** Somebody asks for the work to be done at once. */
    woken_at: string | null
  }
  subscriptions: {
    subscription_id: string
    tenant_id: string
    mode: 'live' | 'sandbox'
    /** Unique in a tenant and mode. */
    endpoint_url: string
    /** JSON: kinds, families (`order.*`) or `*`. */
    event_types: string
    description: string | null
    status: 'ACTIVE' | 'FAILING' | 'DISABLED'
    disabled_reason: 'MANUAL' | 'CONSECUTIVE_FAILURES' | 'GONE' | null
    disabled_at: string | null
    /** Sealed (storage/vault.ts): it must sign. */
    secret: string
    secret_hint: string
    previous_secret: string | null
    previous_secret_expires_at: string | null
    /** Attempts that failed since the last that did not. */
    consecutive_failures: number
    /** Events whose schedule ran out since the last success. */
    exhausted: number
    failing_since: string | null
    last_delivery_at: string | null
    last_success_at: string | null
    created_at: string
    updated_at: string
  }
  /** One event for one subscription: written with the event. */
  deliveries: {
    /** A UUID: X-Service-Delivery. */
    delivery_id: string
    subscription_id: string
    tenant_id: string
    mode: 'live' | 'sandbox'
    event_id: string
    event_type: string
    /** Type and id of the resource, where a newer event of that kind takes this one's place while it waits; else `null`. */
    coalesce: string | null
    /** SUPERSEDED: by a newer event. CANCELLED: its subscription was disabled. */
    status: 'PENDING' | 'DELIVERED' | 'EXHAUSTED' | 'SUPERSEDED' | 'CANCELLED'
    cause: 'EVENT' | 'REDELIVERY' | 'RECOVERY'
    /** Attempts made. */
    attempts: number
    /** JSON: what came of each attempt, oldest first. */
    log: string
    /** When it is attempted next; while it is leased, when the lease ends. */
    due_at: string
    /** Who is on it; `null`: nobody. */
    lease: string | null
    response_status: number | null
    created_at: string
    ended_at: string | null
  }
}
