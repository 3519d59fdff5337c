import type { ConsoleContext } from '../console-context.ts'

export const OPERATOR_SESSION_COOKIE = 'forecourt_operations'
const TOKEN = /^[0-9A-Za-z]{43}$/

/** The token that the browser holds; what cannot be one is none. */
export function readSessionCookie(ctx: Pick<ConsoleContext, 'cookies'>): string | null {
  const token = ctx.cookies.get(OPERATOR_SESSION_COOKIE)
  return token !== undefined && TOKEN.test(token) ? token : null
}

/** No script reads it, no other site's page sends it. `seconds` 0 takes it away. */
export function setCookie(
  ctx: ConsoleContext,
  name: string,
  value: string,
  { seconds, secure }: { seconds: number; secure: boolean },
): void {
  const parts = [`${name}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Strict', `Max-Age=${seconds}`]
  ctx.append('Set-Cookie', [...parts, ...(secure ? ['Secure'] : [])].join('; '))
}
