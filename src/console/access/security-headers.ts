import type { ConsoleMiddleware } from '../console-context.ts'

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** Sets the security headers of every response. */
export const setSecurityHeaders: ConsoleMiddleware = (ctx, next) => {
  ctx.set('Content-Security-Policy', CONTENT_SECURITY_POLICY)
  ctx.set('X-Content-Type-Options', 'nosniff')
  ctx.set('X-Frame-Options', 'DENY')
  // Not `no-referrer`: browsers would then send forms with `Origin: null`.
  ctx.set('Referrer-Policy', 'same-origin')
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin')
  ctx.set('Cross-Origin-Resource-Policy', 'same-origin')
  ctx.set('Cache-Control', 'no-store')
  return next()
}
