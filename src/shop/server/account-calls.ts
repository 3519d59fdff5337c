import type Router from '@koa/router'
import type { Operation } from '../../client/call.ts'
import { operations } from '../../client/generated/operations.gen.ts'
import { createForecourt, ForecourtError, type ServerClient, type Session } from '../../client/server.ts'
import { Problem } from '../../errors.ts'
import type { Context } from '../../http/context.ts'
import { sendJson, sendResponse } from '../../http/responses/send-response.ts'
import { readRawBody } from '../../http/validation/read-body.ts'
import type { AccountOperation, SessionOperation } from '../account-operations.ts'
import { type AccountCall, parseAccountCall } from './account-call.ts'
import { createShopSessions } from './shop-sessions.ts'
import type { ShopSettings } from './shop-settings.ts'

const MAX_BODY_BYTES = 64 * 1_024
const NO_RESPONSE_STATUS = 504

type CalledOperation = AccountOperation | SessionOperation | 'logOutShopper'
type AccountContext = Pick<Context, 'cookies' | 'get' | 'state' | 'set'>

/**
 * Registers `POST /shop/account/<operation>`: the shop's server, which calls Forecourt with the secret key. The browser has neither this key nor
 * the shopper's tokens, but a cookie that scripts cannot read.
 */
export function registerAccountCalls(router: Router, settings: Promise<ShopSettings>): void {
  const sessions = createShopSessions<Session>()
  const client = settings.then(({ address, secretKey }) =>
    createForecourt({ url: address, key: secretKey, maxRetries: 1 }),
  )

  router.post('/shop/account/:operation', async (ctx) => {
    ctx.state.route = 'shop'
    // These responses are for the shop's own pages, unlike those of the API.
    ctx.remove('Access-Control-Allow-Origin')
    refuseOtherSites(ctx.get('Sec-Fetch-Site'))
    // Another site could send a form with the cookie, but no JSON.
    if (!ctx.is('application/json')) throw new Problem('unsupported_media_type', 'Send Content-Type: application/json.')
    const name = toOperation(String(ctx.params.operation))
    const call = parseAccountCall(name, await readRawBody(ctx, MAX_BODY_BYTES))
    try {
      const result = await run(ctx, name, call)
      if (result instanceof Blob) return sendDocument(ctx, result)
      const isComplete = !('errors' in result && Array.isArray(result.errors) && result.errors.length > 0)
      ctx.set('Forecourt-Complete', String(isComplete))
      sendJson(ctx, 200, result)
    } catch (error) {
      if (!(error instanceof ForecourtError)) throw error
      const { status, code, detail, requestId, mistakes } = error
      sendJson(ctx, status || NO_RESPONSE_STATUS, { code, detail, requestId, mistakes })
    }
  })

  async function run(ctx: AccountContext, name: CalledOperation, call: AccountCall): Promise<object> {
    const forecourt = await client
    // Forecourt checks its members.
    const input = call.input as never
    const options = { ...call.options, headers: createCallHeaders(ctx) }
    if (name === 'logOutShopper') return logOut(forecourt, ctx)
    if (isSessionOperation(name)) return keepSession(ctx, await forecourt[name](input, options))
    return (await openShopper(forecourt, ctx)[name](input, options)) ?? {}
  }

  function openShopper(forecourt: ServerClient, ctx: AccountContext) {
    const session = sessions.find(ctx)
    if (!session) throw new Problem('missing_shopper_token', 'Sign in first.')
    const id = sessions.idOf(ctx)
    return forecourt.forShopper(session, { onSession: (next) => sessions.replace(id, next) })
  }

  function keepSession(ctx: AccountContext, result: Session | object): object {
    if (!('shopper_token' in result)) return result
    sessions.open(ctx, result)
    return { status: 'SIGNED_IN' }
  }

  async function logOut(forecourt: ServerClient, ctx: AccountContext): Promise<object> {
    const session = sessions.find(ctx)
    sessions.close(ctx)
    if (session) await forecourt.logOutShopper({ body: { refresh_token: session.refresh_token } })
    return {}
  }
}

/** A back office made the file, so a browser must not show it as a page. */
async function sendDocument(ctx: Pick<Context, 'status' | 'body' | 'set'>, file: Blob): Promise<void> {
  const headers = { 'Content-Disposition': 'attachment', 'X-Content-Type-Options': 'nosniff' }
  const body = Buffer.from(await file.arrayBuffer())
  sendResponse(ctx, { status: 200, body, contentType: 'application/pdf', cacheControl: 'no-store', headers })
}

/** Passes on the simulated fault and the shopper's address. The page learns the id of the request, by which support finds it. */
function createCallHeaders(ctx: AccountContext): Record<string, string> {
  const requestId = `${ctx.state.requestId}-shop`
  ctx.set('X-Api-Request-Id', requestId)
  const fault = ctx.get('x-sandbox-fault')
  const headers = { 'x-request-id': requestId, 'x-storefront-client-ip': ctx.state.clientAddress }
  return fault ? { ...headers, 'x-sandbox-fault': fault } : headers
}

/** Browsers say which page sent a request. Other programs do not, and have no cookie of a shopper. */
function refuseOtherSites(site: string): void {
  if (site !== '' && site !== 'same-origin')
    throw new Problem('origin_not_allowed', 'Only the pages of this shop may send this request.')
}

function toOperation(name: string): CalledOperation {
  if (name === 'logOutShopper' || isSessionOperation(name) || isAccountOperation(name)) return name
  throw new Problem('not_found')
}

const isAccountOperation = (name: string): name is AccountOperation => {
  const all: Readonly<Record<string, Operation>> = operations
  return Object.hasOwn(all, name) && all[name]?.shopper === true
}
const isSessionOperation = (name: string): name is SessionOperation =>
  name === 'logInShopper' || name === 'registerShopper' || name === 'verifyShopper'
