import type { Selectable } from 'kysely'
import { randomBase62 } from '../../security/base62.ts'
import type { Database } from '../database.ts'
import { isPostgresDatabase } from '../is-postgres-database.ts'
import type { Tables } from '../tables.ts'
import { withinTransaction } from '../transact.ts'
import { endAllOperatorSessions } from './operator-sessions.ts'

/** `support` may read, `operator` may also act. */
export type OperatorRole = 'support' | 'operator'
export const operatorRoles = ['support', 'operator'] as const satisfies readonly OperatorRole[]

export type OperatorRecord = Selectable<Tables['operators']>

/** Names that are safe to print, to log and to show. */
export const OPERATOR_NAME_PATTERN = /^[a-z0-9][a-z0-9._@-]{0,63}$/

/** Adds an account. Returns `null` when the name is taken. */
export async function addOperator(
  db: Database,
  { name, role, passwordHash }: { name: string; role: OperatorRole; passwordHash: string },
  now: number,
): Promise<OperatorRecord | null> {
  const record: OperatorRecord = {
    operator_id: `opr_${randomBase62(16)}`,
    name,
    role,
    password_hash: passwordHash,
    created_at: new Date(now).toISOString(),
    disabled_at: null,
    last_signed_in_at: null,
  }
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('operators')
    .values(record)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n ? record : null
}

/** Finds an account by name. The store is not queried with a malformed name: PostgreSQL rejects some texts. */
export async function findOperator(db: Database, name: string): Promise<OperatorRecord | null> {
  if (!OPERATOR_NAME_PATTERN.test(name)) return null
  return (await db.selectFrom('operators').selectAll().where('name', '=', name).executeTakeFirst()) ?? null
}

/** Finds an account and locks it until the transaction ends. */
export async function lockOperator(transaction: Database, operatorId: string): Promise<OperatorRecord | null> {
  const operator = transaction.selectFrom('operators').selectAll().where('operator_id', '=', operatorId)
  return (await (isPostgresDatabase(transaction) ? operator.forUpdate() : operator).executeTakeFirst()) ?? null
}

export const listOperators = (db: Database): Promise<OperatorRecord[]> =>
  db.selectFrom('operators').selectAll().orderBy('name').execute()

export async function recordOperatorSignIn(transaction: Database, operatorId: string, at: string): Promise<void> {
  await transaction
    .updateTable('operators')
    .set({ last_signed_in_at: at })
    .where('operator_id', '=', operatorId)
    .execute()
}

/** Sets a new password or disables the account, and signs the operator out. */
export async function updateOperatorAndEndSessions(
  db: Database,
  operatorId: string,
  change: { password_hash: string } | { disabled_at: string },
): Promise<void> {
  await withinTransaction(db, async (transaction) => {
    await lockOperator(transaction, operatorId)
    await transaction.updateTable('operators').set(change).where('operator_id', '=', operatorId).execute()
    await endAllOperatorSessions(transaction, operatorId)
  })
}

/** Changes an account. Existing sessions keep working, with the change in force from their next request. */
export async function updateOperator(
  db: Database,
  operatorId: string,
  change: { role: OperatorRole } | { disabled_at: null },
): Promise<void> {
  await db.updateTable('operators').set(change).where('operator_id', '=', operatorId).execute()
}
