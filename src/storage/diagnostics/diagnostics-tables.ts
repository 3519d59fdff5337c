/** Upper bounds of the latency histogram's buckets, in milliseconds; one more takes what is above. */
export const LATENCY_BOUNDS_MS = [5, 10, 25, 50, 100, 200, 350, 500, 700, 750, 1_000, 2_000, 5_000] as const

type Bound = (typeof LATENCY_BOUNDS_MS)[number]
/** Answers that took so long at the most, each counted in one bucket alone. */
export type LatencyColumns = Record<`le_${Bound}` | 'over', number>

/** What is kept for those on call. Counts are added to, never set, so that any number of processes may write. */
export interface DiagnosticsTables {
  /** A section of a merchant's answers that was degraded, from its first such answer to its last. At most one is open for a section. */
  incidents: {
    incident_id: string
    tenant_id: string
    mode: 'live' | 'sandbox'
    system: string
    section: string
    began_at: string
    /** Of the last degraded answer. */
    last_at: string
    /** When the section was last well since it began; `null`: never. */
    well_at: string | null
    /** `null`: it goes on. */
    ended_at: string | null
    /** Degraded answers. */
    answers: number
    /** JSON: how many of each code of `errors[]`. */
    codes: string
    /** JSON: a few of its first and last requests, with time and code. */
    samples: string
  }
  /** What circuits did: opened, closed, were held or let go by hand. Attempts in between are not told. */
  breaker_changes: {
    change_id: string
    tenant_id: string
    mode: 'live' | 'sandbox'
    system: string
    /** Which process's circuit. */
    process: string
    at: string
    state: 'open' | 'closed' | 'held_open' | 'held_closed' | 'released'
    /** The operator; `null`: nobody. */
    by: string | null
  }
  /**
   * Counts by minute (kept two days) and by hour (kept thirty). Of a section: answers it was asked for in. With section '': calls to the
   * system. With system '' too: all answers of the merchant, from the cache or not.
   */
  timeline: {
    tenant_id: string
    mode: 'live' | 'sandbox'
    system: string
    section: string
    step: 'minute' | 'hour'
    /** Where the step begins. */
    at: string
    total: number
    /** Degraded answers, or failed calls. */
    degraded: number
    /** Of them, those filled from what was last good. */
    stale: number
  } & LatencyColumns
  /** A bounded choice of requests that were degraded, slow or refused. */
  request_records: {
    record_id: string
    /** As the client knows it; not unique. */
    request_id: string
    tenant_id: string | null
    mode: 'live' | 'sandbox'
    at: string
    kind: 'degraded' | 'slow' | 'refused'
    route: string
    status: number
    /** Whole milliseconds. */
    ms: number
    code: string | null
    key_id: string | null
    /** JSON: all that is known of it. */
    document: string
  }
  /** What a key was used for, by day (UTC). */
  key_days: {
    key_id: string
    /** YYYY-MM-DD. */
    day: string
    requests: number
    /** 401 and 403. */
    refused: number
    /** 429. */
    limited: number
    last_refusal_code: string | null
    last_refused_at: string | null
  }
  /** What each process last knew of its circuits and calls: one row each, old ones are deleted. */
  process_states: {
    process: string
    at: string
    /** JSON. */
    document: string
  }
  operators: {
    operator_id: string
    /** To sign in with: lower case, unique. */
    name: string
    role: 'support' | 'operator'
    /** PHC string of argon2id. */
    password_hash: string
    created_at: string
    disabled_at: string | null
    last_signed_in_at: string | null
  }
  operator_sessions: {
    digest: string
    operator_id: string
    /** What its forms must send back. */
    csrf: string
    created_at: string
    seen_at: string
    expires_at: string
  }
  /** What operators did, and when they came. */
  audit_log: {
    entry_id: string
    at: string
    /** Their name, also when the account has gone. */
    operator: string
    role: string
    /** `breaker.hold`, `cache.purge`, `key.revoke` … */
    action: string
    /** JSON: to what. */
    target: string
    outcome: 'done' | 'refused' | 'failed'
    /** Where they came from; `null`: from the command line. */
    address: string | null
  }
  /** What every process is to do: hold a circuit until then, or forget what it has cached. */
  directives: {
    directive_id: string
    kind: 'hold' | 'purge'
    tenant_id: string | null
    mode: 'live' | 'sandbox' | null
    /** Of a hold. */
    system: string | null
    /** Of a hold. */
    state: 'open' | 'closed' | null
    /** Of a purge, JSON; `null`: everything. */
    skus: string | null
    by: string
    created_at: string
    /** When a hold ends by itself, or ended; `null` for a purge. */
    until: string | null
  }
}
