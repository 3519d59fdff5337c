import type { Generated } from 'kysely'
import type { TenantColumns } from '../tenant-columns.ts'

export interface WebhookTables {
  /** The outbox: written in the transaction that causes the event. */
  events: TenantColumns & {
    event_id: string
    type: string
    resource_type: string
    resource_id: string
    /** Increases by one for each event of a resource. */
    sequence: number
    /** JSON. */
    data: string
    created_at: string
    /** Its place in the tenant's list, from 1 and without gaps. Assigned after the event is committed and no longer held; `null`: not yet. */
    position: Generated<number | null>
    /** RFC 3339: until then, the event is neither delivered nor listed, unless it is released earlier; `null`: it is not held. */
    held_until: Generated<string | null>
  }
  /** The last position of each tenant that is assigned. The row is locked while positions are. */
  event_positions: TenantColumns & { position: number }
  subscriptions: TenantColumns & {
    subscription_id: string
    /** Unique in a tenant. */
    endpoint_url: string
    /** JSON: event types, families (`order.*`) or `*`. */
    event_types: string
    description: string | null
    status: 'ACTIVE' | 'FAILING' | 'DISABLED'
    disabled_reason: 'MANUAL' | 'CONSECUTIVE_FAILURES' | 'GONE' | null
    disabled_at: string | null
    /** Encrypted (storage/keys/secret-encryption.ts), because it must be read to sign. */
    secret: string
    secret_hint: string
    previous_secret: string | null
    previous_secret_expires_at: string | null
    /** Failed attempts since the last successful one. */
    consecutive_failures: number
    /** Events that ran out of retries since the last success. */
    exhausted: number
    failing_since: string | null
    last_delivery_at: string | null
    last_success_at: string | null
    created_at: string
    updated_at: string
  }
  /** One event for one subscription: written with the event. */
  deliveries: TenantColumns & {
    /** A UUID: X-Service-Delivery. */
    delivery_id: string
    subscription_id: string
    event_id: string
    event_type: string
    /** Type and id of the resource, where a newer event of that type replaces this one while it waits; else `null`. */
    coalesce: string | null
    /** SUPERSEDED: by a newer event. CANCELLED: its subscription was disabled. */
    status: 'PENDING' | 'DELIVERED' | 'EXHAUSTED' | 'SUPERSEDED' | 'CANCELLED'
    cause: 'EVENT' | 'REDELIVERY' | 'RECOVERY'
    /** Attempts made. */
    attempts: number
    /** JSON: the result of each attempt, oldest first. */
    log: string
    /** The time of the next attempt; while the delivery is leased, the end of the lease. */
    due_at: string
    /** The process that holds the lease. */
    lease: string | null
    response_status: number | null
    created_at: string
    ended_at: string | null
  }
}
