import { createHmac, timingSafeEqual } from 'node:crypto'
import type { OperatorSession } from '../storage/operators/operator-sessions.ts'
import { setCookie } from './access/cookies.ts'
import type { Notice } from './page-renderer.ts'
import type { Context } from './console-context.ts'

const COOKIE = 'forecourt_notice'
const SECONDS = 60
const LONGEST = 600

/** Kept in the browser until the next page. It is sealed: another port of the same host may set cookies too, and must not speak for us. */
export function leaveNotice(ctx: Context, session: OperatorSession, notice: Notice, secure: boolean): void {
  const text = Buffer.from(JSON.stringify({ ...notice, text: notice.text.slice(0, LONGEST) })).toString('base64url')
  setCookie(ctx, COOKIE, `${text}.${sealOf(text, session)}`, { seconds: SECONDS, secure })
}

/** What was left, once. */
export function takeNotice(ctx: Context, session: OperatorSession, secure: boolean): Notice | null {
  const [text = '', seal = ''] = ctx.cookies.get(COOKIE)?.split('.') ?? []
  if (text === '') return null
  setCookie(ctx, COOKIE, '', { seconds: 0, secure })
  const [given, right] = [Buffer.from(seal), Buffer.from(sealOf(text, session))]
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as Notice
}

const sealOf = (text: string, { csrf }: OperatorSession) => createHmac('sha256', csrf).update(text).digest('base64url')
