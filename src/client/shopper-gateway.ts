import type { CallInput, CallOptions, Operation } from './call.ts'
import type { ForecourtClient } from './forecourt-client.ts'
import { ForecourtError } from './forecourt-error.ts'
import { operations } from './generated/operations.gen.ts'
import type { Session } from './generated/types.gen.ts'
import type { OperationName } from './operation-methods.ts'
import { parseJson } from './read-answer.ts'
import type { ShopperOperationName, SignedOutName, SignInName } from './shopper-gateway-client.ts'
import type { ShopperOptions } from './shopper-sessions.ts'

/** What your server knows about a request of a page. */
export interface ShopperRequest extends ShopperOptions {
  /** The last part of the path, such as `getMe`. */
  operation: string
  /** The session of the shopper, which your cookie names. */
  session: Session | undefined
  /**
   * The `device_token` of the last session on this device, which another cookie holds: with it, strangers who use up the limits of an account keep
   * its shopper neither from a sign-in nor from a new password.
   */
  deviceToken?: string
  /** Receives the session of a sign-in. Store it under a new cookie. */
  onSignIn: (session: Session) => void | Promise<void>
  /** Further headers for Forecourt, such as `X-Storefront-Client-IP`. */
  headers?: Record<string, string>
}

export type ShopperGateway = (request: Request, shopper: ShopperRequest) => Promise<Response>

const NO_RESPONSE_STATUS = 504
/** The page repeats calls that got another 5xx. */
const INVALID_RESPONSE_STATUS = 500

/**
 * Returns a function that responds to the calls of `createShopperCalls`: with the secret key, on behalf of the shopper. The page gets neither the key
 * nor the tokens.
 */
export function createShopperGateway(forecourt: ForecourtClient<OperationName>): ShopperGateway {
  async function run(name: ShopperOperationName, input: never, shopper: ShopperRequest, options: CallOptions) {
    const { session, onSignIn, onSession } = shopper
    if (name === 'logOutShopper') {
      await onSession?.(null)
      // The page cannot repeat it: the next call has no session.
      const { maxRetries: _, ...repeated } = options
      if (session) await forecourt.logOutShopper({ body: { refresh_token: session.refresh_token } }, repeated)
      return {}
    }
    if (name === 'askForPasswordReset') return forecourt[name](withDevice(name, input, shopper), options)
    if (isSignIn(name)) {
      const result = await forecourt[name](withDevice(name, input, shopper), options)
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
      const input = parseInput(name, await request.text())
      return toResponse(await run(name, input as never, shopper, toOptions(request, shopper)))
    } catch (error) {
      if (error instanceof ForecourtError && !KEY_PROBLEMS.has(error.code)) return toProblem(error)
      throw error
    }
  }
}

/** They concern the secret key of your server. A page would take them for the end of the session. */
const KEY_PROBLEMS: ReadonlySet<string> = new Set([
  'missing_api_key',
  'invalid_api_key',
  'publishable_key_not_allowed',
  'insufficient_scope',
])
const SIGN_INS: readonly string[] = [
  'logInShopper',
  'registerShopper',
  'verifyShopper',
  'confirmPasswordReset',
] satisfies SignInName[]
const isSignIn = (name: string): name is SignInName => SIGN_INS.includes(name)
const isSignedOut = (name: string): name is SignedOutName =>
  isSignIn(name) || name === 'askForPasswordReset' || name === 'logOutShopper'

function withDevice(name: SignedOutName, input: CallInput, { deviceToken }: ShopperRequest): never {
  const body = isObject(input.body) ? input.body : {}
  const hasDevice = (name === 'logInShopper' || name === 'askForPasswordReset') && deviceToken !== undefined
  return (hasDevice ? { body: { device_token: deviceToken, ...body } } : input) as never
}

function toShopperOperation(name: string): ShopperOperationName {
  const all: Readonly<Record<string, Operation>> = operations
  const mayCall = isSignedOut(name) || (Object.hasOwn(all, name) && all[name]?.shopper)
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

/** The page repeats a call that failed, so the gateway does not. It ends its call when the page leaves. */
function toOptions({ headers, signal }: Request, shopper: ShopperRequest): CallOptions {
  const idempotencyKey = headers.get('idempotency-key')
  const ifMatch = headers.get('if-match')
  return {
    signal,
    maxRetries: 0,
    headers: { ...shopper.headers, ...(ifMatch && { 'If-Match': ifMatch }) },
    ...(idempotencyKey && { idempotencyKey }),
  }
}

const isObject = (value: unknown): value is CallInput =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isPlain = (value: unknown) => value === null || typeof value !== 'object'
/** Lone surrogates cannot be a part of a path. Dots have a meaning there: a proxy that decodes `..%2F` would call another operation. */
const NO_PATH_PARAMETER = /^$|(?:^|[/\\])\.{1,2}(?:$|[/\\])|\p{Surrogate}/u
const isPathParameter = (value: unknown) =>
  typeof value === 'number' || (typeof value === 'string' && !NO_PATH_PARAMETER.test(value))

/** Refuses what makes no request. The rest is for Forecourt to check. */
function parseInput(name: ShopperOperationName, text: string): CallInput {
  const { path, method }: Operation = operations[name]
  const input = parseJson(text)
  if (!isObject(input)) throw invalid([], 'The body is not a JSON object')
  if (method === 'GET' && 'body' in input) throw invalid(['body'], 'This operation has no body')
  for (const [, member = ''] of path.matchAll(/\{(\w+)\}/g))
    if (!isPathParameter(input[member])) throw invalid([member], 'The parameter is missing or not valid')
  for (const [member, value] of Object.entries(input)) {
    if (member === 'body') continue
    if (member === 'idempotencyKey' || member === 'ifMatch')
      throw invalid([member], 'This is an option, not a parameter')
    // A password would get into the URL, and URLs are logged.
    if (isSignedOut(name)) throw invalid([member], 'This operation has only a body')
    if (!(Array.isArray(value) ? value.every(isPlain) : isPlain(value)))
      throw invalid([member], 'The parameter is not a text, a number or a list of these')
  }
  return input
}

function invalid(loc: string[], msg: string): ForecourtError {
  const mistakes = [{ type: 'value_error', loc: ['body', ...loc], msg }]
  return new ForecourtError({ status: 422, code: 'validation_error', detail: msg, mistakes })
}

const PRIVATE = { 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' }

function toResponse(result: object): Response {
  if (result instanceof Blob) {
    // A back office made the file, so a browser must not show it as a page.
    const headers = { ...PRIVATE, 'content-type': result.type, 'content-disposition': 'attachment' }
    return new Response(result, { headers })
  }
  const isComplete = !('errors' in result && Array.isArray(result.errors) && result.errors.length > 0)
  return Response.json(result, { headers: { ...PRIVATE, 'forecourt-complete': String(isComplete) } })
}

/** Returns the members of a problem that depend on its code. JSON leaves out those that are undefined. */
const toMembers = ({ skus, cart, orderId, currentStatus, until }: ForecourtError) => ({
  skus,
  cart: cart ?? undefined,
  order_id: orderId ?? undefined,
  current_status: currentStatus ?? undefined,
  until: until ?? undefined,
})

/** In the form of Forecourt’s own problems. */
function toProblem(error: ForecourtError): Response {
  const { status, code, detail, hint, requestId, retryAfterMs, mistakes } = error
  const isLost = status === 0
  const isInvalid = code === 'invalid_response'
  // A response that is not from Forecourt may have any status. A page would take a 401 for the end of the session.
  const isUnclear = isInvalid && status < 500 && status !== 429
  const sentStatus = isUnclear ? INVALID_RESPONSE_STATUS : isLost ? NO_RESPONSE_STATUS : status
  // Pages need not know the address of Forecourt.
  const problem =
    isLost || isInvalid
      ? { status: sentStatus, code, detail: `The server of the shop got no ${isInvalid ? 'valid ' : ''}response.` }
      : { status, code, detail, request_id: requestId, ...toMembers(error) }
  const headers = {
    ...PRIVATE,
    ...(requestId && { 'x-request-id': requestId }),
    ...(hint && !isInvalid && { 'forecourt-hint': hint }),
    ...(retryAfterMs !== null && { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) }),
  }
  return Response.json(mistakes.length > 0 ? { detail: mistakes } : problem, {
    status: sentStatus,
    headers,
  })
}
