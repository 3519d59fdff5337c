import type { Generated } from 'kysely'

/** What processes on a store tell each other. */
export interface CoordinationTables {
  idempotency_keys: {
    /** SHA-256 over tenant, mode, customer, method, route and key. */
    digest: string
    tenant_id: string
    /** SHA-256 over the canonical request (RFC 8785). */
    fingerprint: string
    state: 'in_flight' | 'applied' | 'done'
    /**
     * Until then the request that claimed the key holds it, and renews the claim while it runs. RFC 3339, UTC; followed by a space and the
     * holder while a request holds the key.
     */
    locked_until: string
    /** Identifies the claim; `null`: a claim of an earlier release. */
    holder: string | null
    /** JSON: the result of the applied write, for the request that completes the response. */
    applied: string | null
    status: number | null
    body: string | null
    created_at: string
    expires_at: string
  }
  /** The attempts of a subject in its current window, counted by all processes. */
  attempt_counters: {
    digest: string
    count: number
    ends_at: string
  }
  /** Rows that are written and deleted to find out whether the store works again. */
  store_probes: {
    probe_id: string
    filler: string
  }
  /** The places for calls to each system, and the processes that share them. */
  call_places: {
    /** `system/<tenant>/<system>` or `process/<id>`. */
    name: string
    version: number
    /** JSON: the places by process, or what a process says about itself. */
    document: string
    changed_at: string
  }
  /** Jobs that one process does for all. */
  leases: {
    name: string
    holder: string
    until: string
    /** When somebody last requested the job at once. */
    woken_at: string | null
    /** The failures that opened a circuit, as JSON; `null` for other leases. */
    cause: Generated<string | null>
  }
  /** The latest proxy whose header arrived while no trusted proxy was configured: one row per header. */
  proxy_sightings: {
    header: string
    address: string
    seen_at: string
  }
}
