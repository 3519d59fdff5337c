import type { Mode } from '../../tenant.ts'

export interface OperatorTables {
  operators: {
    operator_id: string
    /** The sign-in name: lower case, unique. */
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
    /** The token that its forms must send back. */
    csrf: string
    created_at: string
    seen_at: string
    expires_at: string
  }
  /** The actions and sign-ins of operators. */
  audit_log: {
    entry_id: string
    at: string
    /** The operator's name, kept after the account is deleted. */
    operator: string
    role: string
    /** `breaker.hold`, `cache.purge`, `key.revoke` … */
    action: string
    /** JSON: what the action applied to. */
    target: string
    outcome: 'done' | 'refused' | 'failed'
    /** The client's address; `null`: from the command line. */
    address: string | null
  }
  /** Overrides that every process follows: hold a circuit, or purge caches. */
  directives: {
    directive_id: string
    kind: 'hold' | 'purge'
    tenant_id: string | null
    mode: Mode | null
    /** The name of the circuit. Set for a hold. */
    system: string | null
    /** Set for a hold. */
    state: 'open' | 'closed' | null
    /** `maintenance`: the system is held open because its maintenance is planned. */
    reason: 'maintenance' | null
    /** JSON, for a purge; `null`: all SKUs. */
    skus: string | null
    by: string
    created_at: string
    /** When a hold ends or ended; `null` for a purge. */
    until: string | null
  }
}
