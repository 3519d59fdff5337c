import type { CallInput, CallOptions, Operation } from './call.ts'
import type { ForecourtClient } from './forecourt-client.ts'
import { ForecourtError } from './forecourt-error.ts'
import { operations } from './generated/operations.gen.ts'
import type { Session } from './generated/types.gen.ts'
import type { OperationName } from './operation-methods.ts'
import type { ShopperOperationName, SignInName } from './shopper-calls.ts'
import type { ShopperOptions } from './shopper-sessions.ts'

/** What your server knows about a request of a page. */
export interface ShopperRequest extends ShopperOptions {
  /** The last part of the path, such as `getMe`. */
  operation: string
  /** The session of the shopper, which your cookie names. */
  session: Session | undefined
  /** Receives the session of a sign-in. Store it under a new cookie. */
  onSignIn: (session: Session) => void | Promise<void>
  /** Further headers for Forecourt, such as `X-Storefront-Client-IP`. */
  headers?: Record<string, string>
}

export type ShopperGateway = (request: Request, shopper: ShopperRequest) => Promise<Response>

const NO_RESPONSE_STATUS = 504

/**
 * Returns a function that responds to the calls of `createShopperCalls`: with the secret key, on behalf of the shopper. The page gets neither the key
 * nor the tokens.
 */
export function createShopperGateway(forecourt: ForecourtClient<OperationName>): ShopperGateway {
  async function run(name: ShopperOperationName, input: never, shopper: ShopperRequest, options: CallOptions) {
    const { session, onSignIn, onSession } = shopper
    if (name === 'logOutShopper') {
      await onSession?.(null)
      if (session) await forecourt.logOutShopper({ body: { refresh_token: session.refresh_token } }, options)
      return {}
    }
    if (isSignIn(name)) {
      const result = await forecourt[name](input, options)
      if (!('shopper_token' in result)) return result
      await onSignIn(result)
      return { status: 'SIGNED_IN' }
    }
    if (!session) throw new ForecourtError({ status: 401, code: 'missing_shopper_token', detail: 'Sign in first.' })
    return (await forecourt.forShopper(session, onSession ? { onSession } : {})[name](input, options)) ?? {}
  }

  return async (request, shopper) => {
    try {
      const name = toShopperOperation(shopper.operation)
      refuseOtherPages(request.headers)
      const input = parseInput(operations[name], await request.text())
      const options = { ...toOptions(request.headers), headers: shopper.headers ?? {} }
      return toResponse(await run(name, input as never, shopper, options))
    } catch (error) {
      if (error instanceof ForecourtError) return toProblem(error)
      throw error
    }
  }
}

const isSignIn = (name: string): name is SignInName =>
  name === 'logInShopper' || name === 'registerShopper' || name === 'verifyShopper'

function toShopperOperation(name: string): ShopperOperationName {
  const all: Readonly<Record<string, Operation>> = operations
  const mayCall = name === 'logOutShopper' || isSignIn(name) || (Object.hasOwn(all, name) && all[name]?.shopper)
  if (!mayCall) throw new ForecourtError({ status: 404, code: 'not_found', detail: 'There is no such operation.' })
  return name as ShopperOperationName
}

/** Browsers say which page sent a request. A form of another site would send the cookie too, but no JSON. */
function refuseOtherPages(headers: Headers): void {
  const site = headers.get('sec-fetch-site') || 'same-origin'
  if (site !== 'same-origin')
    throw new ForecourtError({ status: 403, code: 'origin_not_allowed', detail: 'Only pages of this site may call.' })
  if (!/^application\/json\b/i.test(headers.get('content-type') ?? ''))
    throw new ForecourtError({ status: 415, code: 'unsupported_media_type', detail: 'Send application/json.' })
}

function toOptions(headers: Headers): CallOptions {
  const idempotencyKey = headers.get('idempotency-key')
  const version = /^"(\d+)"$/.exec(headers.get('if-match') ?? '')?.[1]
  return { ...(idempotencyKey && { idempotencyKey }), ...(version && { ifMatch: Number(version) }) }
}

const isObject = (value: unknown): value is CallInput =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isPlain = (value: unknown) => value === null || typeof value !== 'object'
/** Lone surrogates cannot be a part of a path, and dots have a meaning there. */
const isPathParameter = (value: unknown) =>
  typeof value === 'number' || (typeof value === 'string' && !/^\.{0,2}$|\p{Surrogate}/u.test(value))

/** Refuses what makes no request. The rest is for Forecourt to check. */
function parseInput({ path }: Operation, text: string): CallInput {
  const input = parseJson(text)
  if (!isObject(input)) throw invalid([], 'The body is not a JSON object')
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g))
    if (!isPathParameter(input[name])) throw invalid([name], 'The parameter is missing or not valid')
  for (const [name, value] of Object.entries(input))
    if (name !== 'body' && !(Array.isArray(value) ? value.every(isPlain) : isPlain(value)))
      throw invalid([name], 'The parameter is not a text, a number or a list of these')
  return input
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function invalid(loc: string[], msg: string): ForecourtError {
  const mistakes = [{ type: 'value_error', loc: ['body', ...loc], msg }]
  return new ForecourtError({ status: 422, code: 'validation_error', detail: msg, mistakes })
}

function toResponse(result: object): Response {
  // A back office made the file, so a browser must not show it as a page.
  const fileHeaders = { 'content-disposition': 'attachment', 'x-content-type-options': 'nosniff' }
  if (result instanceof Blob) return new Response(result, { headers: { 'content-type': result.type, ...fileHeaders } })
  const isComplete = !('errors' in result && Array.isArray(result.errors) && result.errors.length > 0)
  return Response.json(result, { headers: { 'cache-control': 'no-store', 'forecourt-complete': String(isComplete) } })
}

/** In the form of Forecourt’s own problems. */
function toProblem({ status, code, detail, requestId, retryAfterMs, mistakes, skus }: ForecourtError): Response {
  const body = mistakes.length > 0 ? { detail: mistakes } : { status, code, detail, request_id: requestId, skus }
  const headers = retryAfterMs === null ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) }
  return Response.json(body, { status: status || NO_RESPONSE_STATUS, headers })
}
