import { userInfo } from 'node:os'
import type { Database } from '../storage/database.ts'
import { COMMAND_LINE, writeAuditEntry } from '../storage/operators/audit-log.ts'

/** The operator of audit entries that a command writes. */
const COMMAND = { operator: COMMAND_LINE, role: 'command', address: null } as const

/** Records in the audit log what a command changed or could not change, and which account of the machine ran it. */
export const auditCommand = (
  db: Database,
  action: string,
  target: Readonly<Record<string, unknown>>,
  outcome: 'done' | 'failed' = 'done',
) => writeAuditEntry(db, { ...COMMAND, action, target: { ...target, account: readAccountName() }, outcome }, Date.now())

/** Returns the user id for an account without a name, as containers have. */
export function readAccountName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
