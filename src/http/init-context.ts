import { parseKeyMode } from '../storage/keys/api-key-format.ts'
import type { Mode } from '../tenant.ts'
import type { ClientAddresses } from './access/client-addresses.ts'
import type { Middleware } from './context.ts'
import { toRateLimitHeaders } from './limits/rate-limit-headers.ts'
import { toRequestId } from './request-id.ts'

/** Returns the mode that the prefix of an API key claims, known or not: every response carries it. `null`: there is no key. */
function readClaimedMode(authorization: string | undefined): Mode | null {
  return parseKeyMode(authorization?.replace(/^Bearer +/i, '') ?? '')
}

/** A picture URL contains its mode and needs no key. */
const PICTURE_URL = /^\/media\/[^/]+\/(live|sandbox)\//

function modeOfPicture(path: string): Mode | undefined {
  return path.startsWith('/media/') ? (PICTURE_URL.exec(path)?.[1] as Mode | undefined) : undefined
}

/** Sets the request id and the mode before anything can fail, and adds them and the rate limit to every response. */
export function initContext(clients: ClientAddresses, keylessMode: Mode): Middleware {
  return async (ctx, next) => {
    const requestId = toRequestId(ctx.req.headers['x-request-id'])
    const mode = modeOfPicture(ctx.path) ?? readClaimedMode(ctx.req.headers.authorization) ?? keylessMode
    ctx.state = {
      requestId,
      mode,
      startedAt: performance.now(),
      clientAddress: clients.of(ctx.req),
      customerId: null,
      params: {},
      query: {},
      body: undefined,
    }
    await next()
    if (ctx.respond === false) return
    ctx.set('X-Request-Id', requestId)
    ctx.set('X-Service-Mode', ctx.state.mode)
    if (ctx.state.charge) ctx.set(toRateLimitHeaders(ctx.state.charge))
  }
}
