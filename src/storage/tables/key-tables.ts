import type { Generated } from 'kysely'
import type { TenantColumns } from '../tenant-columns.ts'

export interface KeyTables {
  api_keys: TenantColumns & {
    key_id: string
    digest: string
    /** The first characters and the last four, to recognise a key by. */
    hint: string
    kind: 'publishable' | 'secret'
    scopes: string
    allowed_origins: string
    rate_limit_per_minute: number
    /** `null`: for a publishable key, the default. */
    rate_limit_per_client: number | null
    label: string | null
    created_at: string
    expires_at: string | null
    /** For a rotated key, the end of its overlap. */
    revoked_at: string | null
    /** 1: revoked permanently, whatever the clocks say. */
    revoked: Generated<number>
    last_used_at: string | null
  }
  /** The requests of a key in its current minute, counted by all processes. */
  key_use: {
    key_id: string
    ends_at: string
    count: number
  }
  /** The id of the key that encrypts secrets in this store: one row. */
  seals: {
    name: string
    key_id: string
  }
  /** The key that signs picture URLs, in base64: one row. */
  picture_key: {
    name: string
    key: string
  }
}
