import type { ConsoleContext } from '../console-context.ts'

/** Sets a cookie that scripts cannot read and other sites do not send. `seconds` 0 deletes it. */
export function setCookie(ctx: ConsoleContext, name: string, value: string, seconds: number): void {
  const parts = [`${name}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Strict', `Max-Age=${seconds}`]
  ctx.append('Set-Cookie', [...parts, ...(ctx.state.isSecure ? ['Secure'] : [])].join('; '))
}
