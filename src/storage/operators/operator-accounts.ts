import type { Selectable } from 'kysely'
import type { Database } from '../database.ts'
import { randomBase62 } from '../keys/api-key-format.ts'
import { hasRowLocks } from '../row-locks.ts'
import type { Tables } from '../tables.ts'
import { withinTransaction } from '../transact.ts'
import { endAllOperatorSessions } from './operator-sessions.ts'

/** `support` reads, `operator` may act. */
export type OperatorRole = 'support' | 'operator'
export const operatorRoles = ['support', 'operator'] as const satisfies readonly OperatorRole[]

export type OperatorRecord = Selectable<Tables['operators']>

/** What an account may be called: safe to print, to log and to show. */
export const OPERATOR_NAME_PATTERN = /^[a-z0-9][a-z0-9._@-]{0,63}$/

/** `null`: there is one of that name. */
export async function addOperator(
  db: Database,
  { name, role, passwordHash }: { name: string; role: OperatorRole; passwordHash: string },
  now: number,
): Promise<OperatorRecord | null> {
  const record: OperatorRecord = {
    operator_id: `opr_${randomBase62(16)}`,
    ...{ name, role, password_hash: passwordHash, created_at: new Date(now).toISOString() },
    ...{ disabled_at: null, last_signed_in_at: null },
  }
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('operators')
    .values(record)
    .onConflict((taken) => taken.column('name').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n ? record : null
}

/** By name; a store must not be asked for what no account can be called. */
export async function findOperator(db: Database, name: string): Promise<OperatorRecord | null> {
  if (!OPERATOR_NAME_PATTERN.test(name)) return null
  return (await db.selectFrom('operators').selectAll().where('name', '=', name).executeTakeFirst()) ?? null
}

/** The same, and nobody else changes it before this transaction ends. */
export async function lockOperator(transaction: Database, operatorId: string): Promise<OperatorRecord | null> {
  const wanted = transaction.selectFrom('operators').selectAll().where('operator_id', '=', operatorId)
  return (await (hasRowLocks(transaction) ? wanted.forUpdate() : wanted).executeTakeFirst()) ?? null
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

/** A new password, or the end of the account until it is enabled: whoever is signed in is so no more. */
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

/** What holds from the next request on, also of those who are signed in. */
export async function updateOperator(
  db: Database,
  operatorId: string,
  change: { role: OperatorRole } | { disabled_at: null },
): Promise<void> {
  await db.updateTable('operators').set(change).where('operator_id', '=', operatorId).execute()
}
