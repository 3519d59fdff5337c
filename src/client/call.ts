import { createEtagCache, type EtagCache, type EtagCacheLimits } from './etag-cache.ts'
import { operations } from './generated/operations.gen.ts'
import { type Answer, readAnswer } from './read-answer.ts'
import { type RetryLimits, sendWithRetries } from './retry.ts'

export interface ForecourtOptions extends Partial<RetryLimits> {
  /** The address of Forecourt, such as `https://api.example`. */
  url: string
  key: string
  /** The limits of responses that are kept to revalidate: 200 and 2 MB by default. `false` keeps none. */
  cache?: EtagCacheLimits | false
  fetch?: typeof fetch
  /** Receives the header `Forecourt-Hint` of a successful response. By default, hints for a sandbox key are written to the console. */
  onHint?: (hint: string) => void
}

export interface CallOptions extends Partial<RetryLimits> {
  signal?: AbortSignal
  /** By default, each call that takes a key gets a new one, which its retries keep. Give your own to repeat a call later. */
  idempotencyKey?: string
  /** The `version` of the cart that a change applies to. */
  ifMatch?: number
  /** Further headers, such as `X-Sandbox-Fault`. Such a call is not revalidated. */
  headers?: Record<string, string>
}

export interface Operation {
  method: string
  path: string
  revalidates?: true
  idempotent?: true
  repeatable?: true
  shopper?: true
  server?: true
  /** The response is a file: a Blob. */
  file?: true
  /** The response is a JSON array. */
  list?: true
  /** The response is a 204. */
  empty?: boolean
}

export type CallInput = Readonly<Record<string, unknown>>

export type Call = (
  operation: Operation,
  input: CallInput,
  options: CallOptions,
  shopperToken?: string,
) => Promise<unknown>

const LIMITS: RetryLimits = { timeoutMs: 20_000, attemptTimeoutMs: 8_000, maxRetries: 3 }
/** A refresh that is repeated within ten seconds gets the same tokens. A later one would end all sessions of the sign-in. */
export const REFRESH_LIMITS = { timeoutMs: 9_000, attemptTimeoutMs: 3_000 }
const CACHE: EtagCacheLimits = { entries: 200, bytes: 2_000_000 }

/** Tests and tracers may replace `fetch` later. */
const fetchLate: typeof fetch = (...request) => globalThis.fetch(...request)

export function createCall(client: ForecourtOptions): Call {
  const { url, key, cache = CACHE, fetch: send = fetchLate, ...limits } = client
  const onHint = client.onHint ?? ((hint) => /^svc_test/.test(key) && console.warn(hint))
  const etags = cache && createEtagCache(cache)

  return async (operation, input, options, shopperToken) => {
    const address = toUrl(url, operation.path, input)
    const token = operation.shopper ? shopperToken : undefined
    const headers = createHeaders(key, operation, input, options, token)
    const mayRevalidate = etags && operation.revalidates && !options.headers
    const revalidation = mayRevalidate ? createRevalidation(etags, address, token) : undefined
    if (revalidation?.etag) headers.set('if-none-match', revalidation.etag)
    const body = 'body' in input ? { body: JSON.stringify(input.body) } : {}
    // A redirect is none of Forecourt's, and would take the key or the body elsewhere.
    const request = { method: operation.method, headers, redirect: 'manual' as const, ...body }
    const longest = operation.path === operations.refreshShopper.path ? REFRESH_LIMITS : undefined
    const answer = await sendWithRetries(
      async (signal) => readAnswer(await send(address, { ...request, signal }), operation, address, revalidation?.kept),
      {
        ...shorten({ ...LIMITS, ...withoutUnset(limits), ...withoutUnset(options) }, longest),
        signal: options.signal,
        url,
        isRepeatable: Boolean(operation.repeatable || operation.idempotent),
      },
    )
    const hint = answer.headers.get('forecourt-hint')
    if (hint) onHint(hint)
    revalidation?.update(answer)
    return answer.result
  }
}

/** Returns a random `Idempotency-Key`. Browsers have `crypto.randomUUID` only with https, and on localhost. */
export const createIdempotencyKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')

/** Leaves out options that are `undefined`, so that the defaults apply. */
const withoutUnset = <Options extends object>(options: Options): Options =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options

const shorten = (limits: RetryLimits, { timeoutMs, attemptTimeoutMs }: Omit<RetryLimits, 'maxRetries'> = limits) => ({
  ...limits,
  timeoutMs: Math.min(limits.timeoutMs, timeoutMs),
  attemptTimeoutMs: Math.min(limits.attemptTimeoutMs, attemptTimeoutMs),
})

/** Members of the input that the path does not name are the query. */
function toUrl(base: string, path: string, input: CallInput): string {
  if (input.idempotencyKey ?? input.ifMatch) throw new TypeError('Options are the second argument')
  const rest = new Map(Object.entries(input).filter(([name]) => name !== 'body'))
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    if (value === undefined || value === '') throw new TypeError(`${name} is missing in the input, an object`)
    const text = String(value)
    // A URL parser resolves these, encoded or not, so the call would reach another path.
    if (text === '.' || text === '..') throw new TypeError(`${name} must not be "${text}"`)
    return encodeURIComponent(text)
  })
  const query = new URLSearchParams()
  for (const [name, value] of rest)
    for (const one of Array.isArray(value) ? value : [value]) if (one != null) query.append(name, String(one))
  const search = String(query)
  return `${base.replace(/\/+$/, '')}${filled}${search && `?${search}`}`
}

function createHeaders(
  key: string,
  operation: Operation,
  input: CallInput,
  { headers, idempotencyKey, ifMatch }: CallOptions,
  token: string | undefined,
): Headers {
  const all = new Headers(headers)
  // The pages of a shopper have none: their server adds it.
  if (key) all.set('authorization', `Bearer ${key}`)
  if ('body' in input) all.set('content-type', 'application/json')
  if (token !== undefined) all.set('x-storefront-shopper-token', token)
  if (operation.idempotent) all.set('idempotency-key', idempotencyKey ?? createIdempotencyKey())
  if (ifMatch !== undefined) all.set('if-match', `"${ifMatch}"`)
  return all
}

/** Prices differ by shopper, and so do the entries. */
function createRevalidation(etags: EtagCache, address: string, token = '') {
  const entry = `${token} ${address}`
  const kept = etags.get(entry)
  return {
    etag: kept?.etag,
    kept: kept?.text,
    update({ status, headers, text }: Answer): void {
      const etag = headers.get('etag')
      const isKept = status !== 304 && etag !== null && !headers.get('cache-control')?.includes('no-store')
      if (isKept) etags.set(entry, { etag, text })
    },
  }
}
