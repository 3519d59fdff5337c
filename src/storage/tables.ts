/** The rows as they are stored: times are RFC 3339 UTC text, lists are JSON text, secrets are SHA-256 digests in hex. */
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
  shopper_sessions: {
    digest: string
    tenant_id: string
    mode: 'live' | 'sandbox'
    customer_id: string
    created_at: string
    expires_at: string
    revoked_at: string | null
  }
}
