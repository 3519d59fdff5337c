import type { Database } from '../../storage/database.ts'
import { findOperator, type OperatorRecord, type Role, roles } from '../../storage/operators/operator-accounts.ts'
import { configured } from '../command-config.ts'
import { UsageError } from '../usage-error.ts'
import { mustHaveStore, withStore } from '../with-store.ts'

export interface StoreOptions {
  config?: string
  json?: boolean
}

export async function known(db: Database, name: string): Promise<OperatorRecord> {
  const record = await findOperator(db, name)
  if (!record) throw new UsageError(`There is no operator "${name}". See: npx forecourt operators list`)
  return record
}

export const shown = ({ password_hash: _, ...record }: OperatorRecord) => record

export const told = (password: string) => `\n\n  ${password}\n\nKeep the password now: it is not shown again.`

export function roleOf(text: string): Role {
  const found = roles.find((each) => each === text)
  if (!found) throw new UsageError(`A role is one of ${roles.join(', ')}, not "${text}"`)
  return found
}

export async function inStore<T>(options: StoreOptions, work: (db: Database) => Promise<T>): Promise<T> {
  const { store } = configured(options.config)
  mustHaveStore(store)
  return withStore(store, work)
}
