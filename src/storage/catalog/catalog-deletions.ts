import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'

/** Accepts the deletions for which the reconciliation of a tenant's catalog waits. Returns whether it was waiting. */
export type AcceptDeletions = (db: Database, tenant: Tenant) => Promise<boolean>
