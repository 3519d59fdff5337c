import { createHmac, timingSafeEqual } from 'node:crypto'
import type { OperatorSession } from '../storage/operators/operator-sessions.ts'
import { setCookie } from './access/set-cookie.ts'
import type { ConsoleContext } from './console-context.ts'

/** A message about an action, which the next page shows once. */
export interface FlashMessage {
  text: string
  isFailure: boolean
}

const COOKIE = 'forecourt_notice'
const COOKIE_SECONDS = 60
const MAX_TEXT_LENGTH = 600

/** Stores the message in a cookie until the next page. It is signed: another port of the same host can set cookies too. */
export function setFlashMessage(ctx: ConsoleContext, session: OperatorSession, message: FlashMessage): void {
  const { text, isFailure } = message
  const json = JSON.stringify({ text: text.slice(0, MAX_TEXT_LENGTH), failed: isFailure })
  const payload = Buffer.from(json).toString('base64url')
  setCookie(ctx, COOKIE, `${payload}.${signPayload(payload, session)}`, COOKIE_SECONDS)
}

/** Returns the stored message and deletes it. */
export function takeFlashMessage(ctx: ConsoleContext, session: OperatorSession): FlashMessage | null {
  const [payload = '', signature = ''] = ctx.cookies.get(COOKIE)?.split('.') ?? []
  if (payload === '') return null
  setCookie(ctx, COOKIE, '', 0)
  const [actual, expected] = [Buffer.from(signature), Buffer.from(signPayload(payload, session))]
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return null
  const { text, failed } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { text: string; failed: boolean }
  return { text, isFailure: failed }
}

const signPayload = (payload: string, { csrf }: OperatorSession) =>
  createHmac('sha256', csrf).update(payload).digest('base64url')
