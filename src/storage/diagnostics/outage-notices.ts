import type { Selectable } from 'kysely'
import { randomBase62 } from '../../security/base62.ts'
import type { Database } from '../database.ts'
import { acquireAdvisoryLock } from '../postgres/acquire-advisory-lock.ts'
import type { Tables } from '../tables.ts'
import { transact } from '../transact.ts'

export type OutageNoticeRow = Selectable<Tables['outage_notices']>
export type OutageNoticeState = OutageNoticeRow['state']

/** States of an outage that has not ended for its channel. */
export const activeNoticeStates = ['began_due', 'began_sent', 'began_failed'] as const
const dueStates = ['began_due', 'ended_due'] as const

/** Reads the notices of outages that go on, and changes them, while no other process does. */
export const changeActiveNotices = (
  db: Database,
  change: (active: readonly OutageNoticeRow[], transaction: Database) => Promise<void>,
): Promise<void> =>
  transact(db, async (transaction) => {
    await acquireAdvisoryLock(transaction, 'outage-notices')
    const active = transaction.selectFrom('outage_notices').selectAll().where('state', 'in', activeNoticeStates)
    await change(await active.execute(), transaction)
  })

export async function insertOutageNotice(
  db: Database,
  notice: Omit<OutageNoticeRow, 'notice_id' | 'attempts' | 'claimed_until' | 'told_at' | 'ended_at' | 'failure'>,
): Promise<void> {
  const none = { attempts: 0, claimed_until: '', told_at: null, ended_at: null, failure: null }
  await db
    .insertInto('outage_notices')
    .values({ notice_id: `out_${randomBase62(16)}`, ...notice, ...none })
    .execute()
}

export async function updateOutageNotice(
  db: Database,
  noticeId: string,
  changes: Partial<Omit<OutageNoticeRow, 'notice_id'>>,
): Promise<void> {
  await db.updateTable('outage_notices').set(changes).where('notice_id', '=', noticeId).execute()
}

/** Claims the messages that are due: another process gets them only if this one does not report a result in time. */
export const claimDueNotices = (
  db: Database,
  { now, until, channels }: { now: string; until: string; channels: readonly string[] },
): Promise<OutageNoticeRow[]> =>
  transact(db, async (transaction) => {
    await acquireAdvisoryLock(transaction, 'outage-notices')
    return transaction
      .updateTable('outage_notices')
      .set((eb) => ({ claimed_until: until, attempts: eb('attempts', '+', 1) }))
      .where('state', 'in', dueStates)
      .where('due_at', '<=', now)
      .where('claimed_until', '<=', now)
      .where('channel', 'in', channels)
      .returningAll()
      .execute()
  })

/** A channel whose latest message could not be sent. */
export interface FailingChannel extends Pick<OutageNoticeRow, 'channel' | 'target' | 'system' | 'began_at'> {
  failure: string
  /** When the message is sent again; `null`: it was given up. */
  next_at: string | null
}

/** Rows of every state, the latest of all channels. */
const MAX_LATEST = 500

/** Returns the channels whose latest message since that instant failed. */
export async function listFailingChannels(db: Database, since: string): Promise<FailingChannel[]> {
  const rows = await db
    .selectFrom('outage_notices')
    .select(['channel', 'target', 'system', 'began_at', 'due_at', 'state', 'failure'])
    .where('seen_at', '>=', since)
    .orderBy('seen_at', 'desc')
    .orderBy('notice_id', 'desc')
    .limit(MAX_LATEST)
    .execute()
  const attempted = rows.filter(({ state, failure }) => failure !== null || sentStates.includes(state))
  return [...Map.groupBy(attempted, ({ channel }) => channel).values()].flatMap(([latest]) => {
    const { failure, state, due_at, ...row } = latest!
    if (failure === null) return []
    return [{ ...row, failure, next_at: isDue(state) ? due_at : null }]
  })
}

const sentStates: readonly OutageNoticeState[] = ['began_sent', 'done']
const isDue = (state: OutageNoticeState) => (dueStates as readonly OutageNoticeState[]).includes(state)

/** Returns the latest notices, the latest first. */
export const listOutageNotices = (db: Database, limit: number): Promise<OutageNoticeRow[]> =>
  db
    .selectFrom('outage_notices')
    .selectAll()
    .orderBy('seen_at', 'desc')
    .orderBy('notice_id', 'desc')
    .limit(limit)
    .execute()
