import { userInfo } from 'node:os'
import { writeAudit } from '../storage/audit.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import { findOperator, type OperatorRecord, type Role, roles } from '../storage/operators.ts'
import { configured } from './configured-merchant.ts'
import { UsageError } from './usage-error.ts'

export interface StoreOptions {
  config?: string
  json?: boolean
}

/** What the audit log calls whoever may run these commands. */
const COMMAND = { operator: 'command line', role: 'command', address: null, outcome: 'done' } as const

export async function known(db: Database, name: string): Promise<OperatorRecord> {
  const record = await findOperator(db, name)
  if (!record) throw new UsageError(`There is no operator "${name}". See: npx forecourt operators list`)
  return record
}

/** Which account of the machine it was. One in a container may have no name. */
function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

export const note = (db: Database, action: string, target: Readonly<Record<string, unknown>>) =>
  writeAudit(db, { ...COMMAND, action, target: { ...target, account: accountName() } }, Date.now())

export const shown = ({ password_hash: _, ...record }: OperatorRecord) => record

export const told = (password: string) => `\n\n  ${password}\n\nKeep the password now: it is not shown again.`

export function roleOf(text: string): Role {
  const found = roles.find((each) => each === text)
  if (!found) throw new UsageError(`--role is one of ${roles.join(', ')}, not "${text}"`)
  return found
}

export async function withStore({ config }: StoreOptions, work: (db: Database) => Promise<void>): Promise<void> {
  const db = await openDatabase(configured(config).store)
  try {
    await work(db)
  } finally {
    await db.destroy()
  }
}
