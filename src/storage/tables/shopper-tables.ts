import type { TenantColumns } from '../tenant-columns.ts'

export interface ShopperTables {
  /** Access tokens. */
  shopper_sessions: TenantColumns & {
    digest: string
    customer_id: string
    /** The sign-in that created it: `null` only in rows older than sign-in. */
    family_id: string | null
    created_at: string
    expires_at: string
    revoked_at: string | null
  }
  shoppers: TenantColumns & {
    shopper_id: string
    /** Lower case; unique in a tenant. */
    email: string
    /** PHC string of argon2id. */
    password_hash: string
    /** The customer in the back office; `null` until one is linked or created. */
    customer_id: string | null
    verified_at: string | null
    created_at: string
    updated_at: string
  }
  /** Used tokens stay, so that reuse is detected. */
  refresh_tokens: {
    digest: string
    family_id: string
    shopper_id: string
    created_at: string
    expires_at: string
    used_at: string | null
    revoked_at: string | null
  }
  /** Client addresses from which shoppers signed in. */
  sign_in_addresses: {
    /** HMAC of the address, keyed by the password hash of the account. */
    digest: string
    shopper_id: string
    expires_at: string
  }
  /** Single-use tokens that prove access to a mailbox. */
  mailbox_tokens: TenantColumns & {
    digest: string
    purpose: 'verify' | 'reset'
    email: string
    /** JSON: the change that waits for the proof. */
    payload: string
    created_at: string
    expires_at: string
    used_at: string | null
  }
  /** The products that customers wait for. A row is deleted when its request is fulfilled. */
  back_in_stock_requests: TenantColumns & {
    request_id: string
    customer_id: string
    sku: string
    /** 1 to 50: unique for a customer, so that nobody has more requests. */
    slot: number
    created_at: string
    expires_at: string
  }
}
