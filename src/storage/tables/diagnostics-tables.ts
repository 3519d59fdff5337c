import type { Generated } from 'kysely'
import type { Mode } from '../../tenant.ts'
import type { TenantColumns } from '../tenant-columns.ts'

/** Upper bounds of the latency histogram's buckets, in milliseconds. One more bucket takes what is above. */
export const LATENCY_BOUNDS_MS = [5, 10, 25, 50, 100, 200, 350, 500, 700, 750, 1_000, 2_000, 5_000] as const

type Bound = (typeof LATENCY_BOUNDS_MS)[number]
/** Responses by latency. Each response counts in one bucket only. */
export type LatencyColumns = Record<`le_${Bound}` | 'over', number>

/** The history that operators see. Counts are added to, never set, so that any number of processes may write. */
export interface DiagnosticsTables {
  /** A period in which a section of a tenant's responses was degraded. At most one is open for a section. */
  incidents: TenantColumns & {
    incident_id: string
    system: string
    section: string
    began_at: string
    /** The time of the last degraded response. */
    last_at: string
    /** The last time since it began that the section was healthy; `null`: never. */
    well_at: string | null
    /** Since when its system has responded to all other calls; `null`: it has not, or nothing is known. A later degraded response disproves it. */
    responding_since: Generated<string | null>
    /** `null`: it is open. */
    ended_at: string | null
    /** Degraded responses. */
    answers: number
    /** JSON: the count of each code of `errors[]`. */
    codes: string
    /** JSON: the count of each kind of failure behind the codes; `null`: written by an earlier release. */
    causes: string | null
    /** JSON: a few of its first and last requests, with time and code. */
    samples: string
    /** JSON of an IncidentImpact; `null`: written by an earlier release. */
    impact: Generated<string | null>
  }
  /** What operators did about incidents. Added to, never changed. */
  incident_notes: {
    note_id: string
    incident_id: string
    at: string
    /** The operator's name, kept after the account is deleted. */
    operator: string
    kind: 'acknowledged' | 'assigned' | 'note'
    /** The note, or who looks after the incident; `null`: nobody. */
    text: string | null
  }
  /** When processes started to serve. */
  process_starts: {
    start_id: string
    at: string
    process: string
    version: string
    /** SHA-256 of the text of the configuration file; `null`: started without one. */
    config_digest: string | null
    /** `null`: it runs, it was killed, or an earlier release wrote this. */
    stopped_at: Generated<string | null>
  }
  /** What was sent about the outages of a system to a channel of the configuration. */
  outage_notices: {
    notice_id: string
    /** The id of the channel. */
    channel: string
    /** `mail`, or the host of the webhook: how the channel is shown. */
    target: string
    system: string
    /** `over_untold`: it ended before the first message was due. `failed`: a message was given up. `done`: both were sent. */
    state: 'began_due' | 'began_sent' | 'began_failed' | 'ended_due' | 'over_untold' | 'failed' | 'done'
    began_at: string
    /** When it was last seen to go on. */
    seen_at: string
    /** When the next message is sent. */
    due_at: string
    /** Until then, a process is sending it. */
    claimed_until: string
    /** JSON of an OngoingOutage. */
    document: string
    /** When the first message was sent. */
    told_at: string | null
    ended_at: string | null
    /** Why the last attempt failed. */
    failure: string | null
    /** Of the current message. */
    attempts: number
  }
  /** Circuit transitions: opened, closed, held or released by an operator. Probes in between are not recorded. */
  breaker_changes: TenantColumns & {
    change_id: string
    /** The name of the circuit. */
    system: string
    /** The process that the circuit belongs to. */
    process: string
    at: string
    state: 'open' | 'closed' | 'held_open' | 'held_closed' | 'released'
    /** The operator; `null`: nobody. */
    by: string | null
    /** JSON, for `open`: the failures that opened it, counted by kind. */
    causes: string | null
  }
  /**
   * Counts by minute (stored for two days) and by hour (for thirty). A row with a section counts the responses with that section; with
   * section '', the calls to the system; with system '' too, all responses of the tenant, cached or not.
   */
  timeline: TenantColumns & {
    /** For calls, the name of their circuit. */
    system: string
    section: string
    step: 'minute' | 'hour'
    /** The start of the step. */
    at: string
    total: number
    /** Degraded responses, or failed calls. */
    degraded: number
    /** Degraded responses that were filled from a last-good value. */
    stale: number
    /** The longest time that the latency counts; `null` if an earlier release wrote the row. */
    longest_ms: number | null
  } & LatencyColumns
  /** A bounded selection of requests that were degraded, slow or refused. */
  request_records: {
    record_id: string
    /** As the client knows it; not unique. */
    request_id: string
    tenant_id: string | null
    mode: Mode
    at: string
    kind: 'degraded' | 'slow' | 'refused'
    route: string
    status: number
    /** Whole milliseconds. */
    ms: number
    code: string | null
    key_id: string | null
    /** The customer's id in the back office; `null`: unknown. */
    customer_id: string | null
    /** The requested SKUs and those that the problem names, in lower case, each between line ends; `null`: none. */
    skus: string | null
    /** The codes of its sections, each between spaces; `null`: none. */
    section_codes: string | null
    /** JSON: the other fields of the record. */
    document: string
  }
  /** The usage of a key by day (UTC). */
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
  /** The last report of each process about its circuits and calls: one row each, old ones are deleted. */
  process_states: {
    process: string
    at: string
    /** JSON. */
    document: string
  }
}
