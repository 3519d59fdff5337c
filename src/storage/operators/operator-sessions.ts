import { sha256Hex } from '../../security/sha256.ts'
import type { Database } from '../database.ts'
import type { OperatorRole } from './operator-accounts.ts'

/** An operator's sign-in to the console. */
export interface OperatorSession {
  digest: string
  /** The token that its forms must send back. */
  csrf: string
  seenAt: string
  operator: { operatorId: string; name: string; role: OperatorRole }
}

/** Adds a session. Only the token's digest is stored. */
export async function addOperatorSession(
  transaction: Database,
  token: string,
  { operatorId, csrf }: { operatorId: string; csrf: string },
  { at, expiresAt }: { at: string; expiresAt: string },
): Promise<void> {
  await transaction
    .insertInto('operator_sessions')
    .values({
      digest: sha256Hex(token),
      operator_id: operatorId,
      csrf,
      created_at: at,
      seen_at: at,
      expires_at: expiresAt,
    })
    .execute()
}

/** Returns the session of a token at an instant; `null`: unknown, ended, idle since before `idleSince`, or its account is disabled. */
export async function findOperatorSession(
  db: Database,
  token: string,
  { at, idleSince }: { at: string; idleSince: string },
): Promise<OperatorSession | null> {
  const row = await db
    .selectFrom('operator_sessions')
    .innerJoin('operators', 'operators.operator_id', 'operator_sessions.operator_id')
    .select(['digest', 'csrf', 'seen_at', 'operators.operator_id', 'name', 'role'])
    .where('digest', '=', sha256Hex(token))
    .where('expires_at', '>', at)
    .where('seen_at', '>', idleSince)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  const operator = { operatorId: row.operator_id, name: row.name, role: row.role }
  return { digest: row.digest, csrf: row.csrf, seenAt: row.seen_at, operator }
}

export async function touchOperatorSession(db: Database, digest: string, at: string): Promise<void> {
  await db.updateTable('operator_sessions').set({ seen_at: at }).where('digest', '=', digest).execute()
}

export async function endOperatorSession(db: Database, digest: string): Promise<void> {
  await db.deleteFrom('operator_sessions').where('digest', '=', digest).execute()
}

export async function endAllOperatorSessions(transaction: Database, operatorId: string): Promise<void> {
  await transaction.deleteFrom('operator_sessions').where('operator_id', '=', operatorId).execute()
}
