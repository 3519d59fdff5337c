import type { Selectable } from 'kysely'
import type { Database } from '../database.ts'
import { randomBase62 } from '../keys/api-key-format.ts'
import { endSessionsOf } from './operator-sessions.ts'
import { locksRows } from '../row-locks.ts'
import type { Tables } from '../tables.ts'
import { within } from '../transact.ts'

/** `support` reads, `operator` may act. */
export type Role = 'support' | 'operator'
export const roles = ['support', 'operator'] as const satisfies readonly Role[]

export type OperatorRecord = Selectable<Tables['operators']>

/** What an account may be called: safe to print, to log and to show. */
export const OPERATOR_NAME = /^[a-z0-9][a-z0-9._@-]{0,63}$/

/** `null`: there is one of that name. */
export async function addOperator(
  db: Database,
  { name, role, passwordHash }: { name: string; role: Role; passwordHash: string },
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
  if (!OPERATOR_NAME.test(name)) return null
  return (await db.selectFrom('operators').selectAll().where('name', '=', name).executeTakeFirst()) ?? null
}

/** The same, and nobody else changes it before this transaction ends. */
export async function holdOperator(transaction: Database, operatorId: string): Promise<OperatorRecord | null> {
  const wanted = transaction.selectFrom('operators').selectAll().where('operator_id', '=', operatorId)
  return (await (locksRows(transaction) ? wanted.forUpdate() : wanted).executeTakeFirst()) ?? null
}

export const listOperators = (db: Database): Promise<OperatorRecord[]> =>
  db.selectFrom('operators').selectAll().orderBy('name').execute()

export async function noteSignIn(transaction: Database, operatorId: string, at: string): Promise<void> {
  await transaction
    .updateTable('operators')
    .set({ last_signed_in_at: at })
    .where('operator_id', '=', operatorId)
    .execute()
}

/** A new password, or the end of the account until it is enabled: whoever is signed in is so no more. */
export async function lockOut(
  db: Database,
  operatorId: string,
  change: { password_hash: string } | { disabled_at: string },
): Promise<void> {
  await within(db, async (transaction) => {
    await holdOperator(transaction, operatorId)
    await transaction.updateTable('operators').set(change).where('operator_id', '=', operatorId).execute()
    await endSessionsOf(transaction, operatorId)
  })
}

/** What holds from the next request on, also of those who are signed in. */
export async function changeOperator(
  db: Database,
  operatorId: string,
  change: { role: Role } | { disabled_at: null },
): Promise<void> {
  await db.updateTable('operators').set(change).where('operator_id', '=', operatorId).execute()
}
