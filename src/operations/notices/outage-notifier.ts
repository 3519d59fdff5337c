import type { NotificationChannel } from '../../config/notification-channel.ts'
import { startPoller } from '../../lifecycle/poller.ts'
import { waitUpTo } from '../../lifecycle/wait-up-to.ts'
import type { Database } from '../../storage/database.ts'
import {
  claimDueNotices,
  type OutageNoticeRow,
  type OutageNoticeState,
  updateOutageNotice,
} from '../../storage/diagnostics/outage-notices.ts'
import { composeNotice, type NoticeMessage, type NoticeTexts } from './notice-message.ts'
import { planNotices } from './plan-notices.ts'
import { afterQuietHours } from './quiet-hours.ts'

/** Sends one message. Resolves with why it could not be sent, or `null`. */
export type SendNotice = (
  channel: NotificationChannel,
  message: NoticeMessage,
  id: { notice: string; attempt: number },
) => Promise<string | null>

export interface OutageNotifierParts {
  db: Database
  channels: readonly NotificationChannel[]
  texts: NoticeTexts
  send: SendNotice
  onError(error: unknown): void
  now: () => number
  /** `null`: rounds are only run by `poll`. */
  intervalMs?: number | null
}

export interface OutageNotifier extends AsyncDisposable {
  /** Plans messages and begins to send those that are due. Resolves before they are sent. */
  poll(): Promise<void>
  /** Resolves when no message is being sent. */
  idle(): Promise<void>
}

const INTERVAL_MS = 5_000
/** Longer than one attempt takes. */
const CLAIM_MS = 60_000
const SEND_TIMEOUT_MS = 30_000
/** The pauses after failed attempts; then a message is given up. */
const PAUSES_MS = [30_000, 120_000, 600_000, 1_800_000]
const DISPOSE_TIMEOUT_MS = 3_000

/** Notifies the channels of the configuration of outages. Of several processes on one store, one sends each message. */
export function startOutageNotifier({ intervalMs = INTERVAL_MS, ...parts }: OutageNotifierParts): OutageNotifier {
  const { db, channels, texts, send, onError, now } = parts
  const sending = new Set<Promise<void>>()

  async function round(): Promise<void> {
    const at = now()
    await planNotices(db, channels, at)
    const [current, until] = [at, at + CLAIM_MS].map((ms) => new Date(ms).toISOString()) as [string, string]
    const due = await claimDueNotices(db, { now: current, until, channels: channels.map(({ id }) => id) })
    // Not awaited: a receiver that hangs must not delay the others.
    for (const row of due) {
      const attempt = attemptNotice(row).catch(onError)
      const tracked = attempt.finally(() => sending.delete(tracked))
      sending.add(tracked)
    }
  }

  async function attemptNotice(row: OutageNoticeRow): Promise<void> {
    const result = sendNotice(row).catch((error: unknown) => {
      onError(error)
      return { failure: 'error in Forecourt: see the log' }
    })
    const { failure } = (await waitUpTo(SEND_TIMEOUT_MS, result)) ?? { failure: 'no response in time' }
    await updateOutageNotice(db, row.notice_id, toResult(row, channelOf(row), failure, now()))
  }

  const channelOf = (row: OutageNoticeRow) => channels.find(({ id }) => id === row.channel)!

  async function sendNotice(row: OutageNoticeRow): Promise<{ failure: string | null }> {
    const message = composeNotice(row, texts)
    const id = { notice: `${row.notice_id}.${message.type}`, attempt: row.attempts }
    return { failure: await send(channelOf(row), message, id) }
  }

  const poller = startPoller({ round, intervalMs, onError })
  return {
    poll: poller.poll,
    async idle() {
      await Promise.all(sending)
    },
    async [Symbol.asyncDispose]() {
      await poller[Symbol.asyncDispose]()
      await waitUpTo(DISPOSE_TIMEOUT_MS, Promise.all(sending))
    },
  }
}

function toResult(
  { state, attempts }: OutageNoticeRow,
  { quietHours }: Pick<NotificationChannel, 'quietHours'>,
  failure: string | null,
  at: number,
): Partial<OutageNoticeRow> {
  const isBeginning = state === 'began_due'
  const sentState: OutageNoticeState = isBeginning ? 'began_sent' : 'done'
  if (failure === null)
    return { state: sentState, failure: null, ...(isBeginning && { told_at: new Date(at).toISOString() }) }
  const pauseMs = PAUSES_MS[attempts - 1]
  if (pauseMs === undefined) return { state: isBeginning ? 'began_failed' : 'failed', failure }
  const dueAt = afterQuietHours(at + pauseMs, quietHours)
  return { due_at: new Date(dueAt).toISOString(), claimed_until: '', failure }
}
