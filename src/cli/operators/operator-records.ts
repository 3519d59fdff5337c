import type { Database } from '../../storage/database.ts'
import {
  findOperator,
  type OperatorRecord,
  type OperatorRole,
  operatorRoles,
} from '../../storage/operators/operator-accounts.ts'
import { readCommandConfig } from '../command-config.ts'
import { UsageError } from '../usage-error.ts'
import { requireStore, withStore } from '../with-store.ts'

export interface OperatorStoreOptions {
  config?: string
  json?: boolean
}

export async function requireOperator(db: Database, name: string): Promise<OperatorRecord> {
  const record = await findOperator(db, name)
  if (!record) throw new UsageError(`There is no operator "${name}". See: npx forecourt operators list`)
  return record
}

export const withoutPasswordHash = ({ password_hash: _, ...record }: OperatorRecord) => record

export const formatGeneratedPassword = (password: string) =>
  `\n\n  ${password}\n\nKeep the password now: it is not shown again.`

export function parseRole(text: string): OperatorRole {
  const found = operatorRoles.find((each) => each === text)
  if (!found) throw new UsageError(`A role is one of ${operatorRoles.join(', ')}, not "${text}"`)
  return found
}

export async function withConfiguredStore<T>(
  options: OperatorStoreOptions,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const { store } = readCommandConfig(options.config)
  requireStore(store)
  return withStore(store, work)
}
