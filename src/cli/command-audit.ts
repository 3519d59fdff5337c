import { userInfo } from 'node:os'
import type { Database } from '../storage/database.ts'
import { writeAuditEntry } from '../storage/operators/audit-log.ts'

/** What the audit log calls whoever may run these commands. */
const COMMAND = { operator: 'command line', role: 'command', address: null, outcome: 'done' } as const

/** Notes in the audit log what a command has changed, and which account of the machine ran it. */
export const auditCommand = (db: Database, action: string, target: Readonly<Record<string, unknown>>) =>
  writeAuditEntry(db, { ...COMMAND, action, target: { ...target, account: accountName() } }, Date.now())

/** One in a container may have no name. */
function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
