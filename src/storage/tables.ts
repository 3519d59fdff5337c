/**
 * The rows as they are stored, in SQLite and PostgreSQL alike: times are RFC 3339 UTC text with milliseconds (so that they sort),
 * lists and documents are JSON text, secrets are SHA-256 digests in hex, amounts are decimal text.
 */
export interface Tables {
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
  /** The outbox: written in the transaction that causes the event. */
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
}
