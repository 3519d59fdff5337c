import { timingSafeEqual } from 'node:crypto'
import type { ConsoleContext } from '../console-context.ts'
import { ConsoleHttpError } from '../console-http-error.ts'

const CROSS_ORIGIN_MESSAGE = 'This form was sent from another site. Nothing was changed.'
const WRONG_TOKEN_MESSAGE =
  'This form belongs to another session. Nothing was changed. Go back, reload the page and submit the form again.'

/** Refuses requests that a page of another origin sent. `url` is the address that browsers use when a proxy is in front. */
export function requireSameOrigin(ctx: ConsoleContext, url: string | undefined): void {
  const site = ctx.get('Sec-Fetch-Site')
  if (site !== '' && site !== 'same-origin') throw new ConsoleHttpError(403, CROSS_ORIGIN_MESSAGE)
  const origin = ctx.get('Origin')
  if (origin !== '' && !isOwnOrigin(origin, ctx.get('Host'), url)) throw new ConsoleHttpError(403, CROSS_ORIGIN_MESSAGE)
}

function isOwnOrigin(origin: string, host: string, url: string | undefined): boolean {
  const parsed = URL.parse(origin)
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return false
  return parsed.host === host.toLowerCase() || (url !== undefined && parsed.origin === URL.parse(url)?.origin)
}

/** Refuses a form that does not carry the CSRF token of its session. */
export function requireCsrfToken(csrfToken: string, form: URLSearchParams): void {
  const [actual, expected] = [Buffer.from(form.get('csrf') ?? ''), Buffer.from(csrfToken)]
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected))
    throw new ConsoleHttpError(403, WRONG_TOKEN_MESSAGE)
}
