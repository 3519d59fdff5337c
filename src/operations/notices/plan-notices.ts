import type { NotificationChannel } from '../../config/notification-channel.ts'
import type { Database } from '../../storage/database.ts'
import { EVERY_MERCHANT, listOpenIncidents } from '../../storage/diagnostics/open-incidents.ts'
import {
  changeActiveNotices,
  insertOutageNotice,
  type OutageNoticeRow,
  updateOutageNotice,
} from '../../storage/diagnostics/outage-notices.ts'
import { type OngoingOutage, toOngoingOutages } from './ongoing-outages.ts'
import { afterQuietHours } from './quiet-hours.ts'

/** An outage that returns within this time is the same one. */
export const NOTICE_QUIET_MS = 60_000

const iso = (ms: number) => new Date(ms).toISOString()

/** Stores which messages each channel must get about the outages of this moment. Any process may do it, at any time. */
export async function planNotices(db: Database, channels: readonly NotificationChannel[], now: number): Promise<void> {
  await changeActiveNotices(db, async (active, transaction) => {
    // Another process may have planned after an outage that ended meanwhile.
    const incidents = await listOpenIncidents(transaction)
    for (const channel of channels) {
      const outages = toOngoingOutages(channel, incidents)
      const own = active.filter((notice) => isOwnNotice(notice, channel, now))
      for (const outage of outages) {
        const notice = own.find(({ system }) => system === outage.system)
        if (notice) await goOn(transaction, notice, outage, now)
        else await begin(transaction, channel, outage, now)
      }
      for (const notice of own)
        if (!outages.some(({ system }) => system === notice.system)) await end(transaction, notice, channel, now)
    }
  })
}

/**
 * Several Forecourts with the same channel may share a store: each one plans the messages about its own merchants, and those that none has seen
 * lately.
 */
function isOwnNotice(notice: OutageNoticeRow, { id, merchants: own }: NotificationChannel, now: number): boolean {
  if (notice.channel !== id) return false
  const { merchants } = JSON.parse(notice.document) as OngoingOutage
  const isOwn = ({ merchant }: { merchant: string }) =>
    own === null || merchant === EVERY_MERCHANT || own.includes(merchant)
  return merchants.some(isOwn) || now - Date.parse(notice.seen_at) >= NOTICE_QUIET_MS
}

/** A message is sent only about an outage that lasts. */
const begin = (db: Database, channel: NotificationChannel, outage: OngoingOutage, now: number) =>
  insertOutageNotice(db, {
    channel: channel.id,
    target: channel.target.kind === 'mail' ? 'mail' : new URL(channel.target.url).host,
    system: outage.system,
    state: 'began_due',
    began_at: iso(outage.beganAt),
    seen_at: iso(now),
    due_at: iso(afterQuietHours(Math.max(now, outage.beganAt + channel.afterMs), channel.quietHours)),
    document: JSON.stringify(outage),
  })

/** Until the first message is sent, it names what is affected by then. */
const goOn = (db: Database, notice: OutageNoticeRow, outage: OngoingOutage, now: number) =>
  updateOutageNotice(db, notice.notice_id, {
    seen_at: iso(now),
    ...(notice.state === 'began_due' && { document: JSON.stringify(outage) }),
  })

async function end(db: Database, notice: OutageNoticeRow, channel: NotificationChannel, now: number): Promise<void> {
  const { notice_id, state, seen_at } = notice
  // Nobody was told that it began.
  if (state === 'began_due') return updateOutageNotice(db, notice_id, { state: 'over_untold', ended_at: seen_at })
  if (now - Date.parse(seen_at) < NOTICE_QUIET_MS) return
  if (state === 'began_failed') return updateOutageNotice(db, notice_id, { state: 'failed', ended_at: seen_at })
  await updateOutageNotice(db, notice_id, {
    state: 'ended_due',
    ended_at: seen_at,
    due_at: iso(afterQuietHours(now, channel.quietHours)),
    attempts: 0,
    claimed_until: '',
  })
}
