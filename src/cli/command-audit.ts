import { userInfo } from 'node:os'
import { writeAudit } from '../storage/operators/audit-log.ts'
import type { Database } from '../storage/database.ts'

/** What the audit log calls whoever may run these commands. */
const COMMAND = { operator: 'command line', role: 'command', address: null, outcome: 'done' } as const

/** Notes in the audit log what a command has changed, and which account of the machine ran it. */
export const note = (db: Database, action: string, target: Readonly<Record<string, unknown>>) =>
  writeAudit(db, { ...COMMAND, action, target: { ...target, account: accountName() } }, Date.now())

/** One in a container may have no name. */
function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
