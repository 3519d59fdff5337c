import { timingSafeEqual } from 'node:crypto'
import type { ConsoleContext } from '../console-context.ts'
import { ConsoleHttpError } from '../console-context.ts'

const ELSEWHERE = 'This form was sent from another site, so nothing was done.'
const STALE =
  'This form is from another session, so nothing was done. Go back, load the page again and send it once more.'

/** Refuses what a page of another origin sent. `url`: as browsers reach this listener, when something stands in front. */
export function requireSameOrigin(ctx: ConsoleContext, url: string | undefined): void {
  const site = ctx.get('Sec-Fetch-Site')
  if (site !== '' && site !== 'same-origin') throw new ConsoleHttpError(403, ELSEWHERE)
  const origin = ctx.get('Origin')
  if (origin !== '' && !isOurs(origin, ctx.get('Host'), url)) throw new ConsoleHttpError(403, ELSEWHERE)
}

function isOurs(origin: string, host: string, url: string | undefined): boolean {
  const from = URL.parse(origin)
  if (!from || !/^https?:$/.test(from.protocol)) return false
  return from.host === host.toLowerCase() || (url !== undefined && from.origin === URL.parse(url)?.origin)
}

/** Refuses a form that does not send back the token of its session. */
export function requireCsrfToken(csrf: string, form: URLSearchParams): void {
  const [sent, known] = [Buffer.from(form.get('csrf') ?? ''), Buffer.from(csrf)]
  if (sent.length !== known.length || !timingSafeEqual(sent, known)) throw new ConsoleHttpError(403, STALE)
}
