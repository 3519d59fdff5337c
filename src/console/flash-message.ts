import { createHmac, timingSafeEqual } from 'node:crypto'
import type { OperatorSession } from '../storage/operators/operator-sessions.ts'
import { setCookie } from './access/cookies.ts'
import type { ConsoleContext } from './console-context.ts'
import type { FlashMessage } from './page-renderer.ts'

const COOKIE = 'forecourt_notice'
const SECONDS = 60
const LONGEST = 600

/** Kept in the browser until the next page. It is sealed: another port of the same host may set cookies too, and must not speak for us. */
export function setFlashMessage(
  ctx: ConsoleContext,
  session: OperatorSession,
  notice: FlashMessage,
  secure: boolean,
): void {
  const text = Buffer.from(JSON.stringify({ ...notice, text: notice.text.slice(0, LONGEST) })).toString('base64url')
  setCookie(ctx, COOKIE, `${text}.${sealOf(text, session)}`, { seconds: SECONDS, secure })
}

/** What was left, once. */
export function takeFlashMessage(ctx: ConsoleContext, session: OperatorSession, secure: boolean): FlashMessage | null {
  const [text = '', seal = ''] = ctx.cookies.get(COOKIE)?.split('.') ?? []
  if (text === '') return null
  setCookie(ctx, COOKIE, '', { seconds: 0, secure })
  const [given, right] = [Buffer.from(seal), Buffer.from(sealOf(text, session))]
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as FlashMessage
}

const sealOf = (text: string, { csrf }: OperatorSession) => createHmac('sha256', csrf).update(text).digest('base64url')
