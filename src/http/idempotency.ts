import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { InvalidInput, Problem } from '../errors.ts'
import {
  claimIdempotencyKey,
  recordAppliedWrite,
  releaseIdempotencyKey,
  type StoredResponse,
  storeIdempotentResponse,
} from '../storage/idempotency-keys.ts'
import type { SecretCipher } from '../storage/keys/secret-encryption.ts'
import type { Context, Middleware } from './context.ts'
import { formatProblem } from './handle-errors.ts'
import type { RespondDeps } from './respond.ts'
import { VARY_HEADER } from './response-headers.ts'
import type { IdempotencyHandle, Route } from './route.ts'

/** How long a request may be under way; when its process died, another may take it up after that. */
const LOCK_MS = 8_000
const KEPT_MS = 7 * 86_400_000
const LONGEST = 255
/** Of the answers that are not a success: what would be answered again whatever happens. */
const LASTING: ReadonlySet<number> = new Set([404, 409, 410, 412])

/** A request that is sent again with its Idempotency-Key acts once, and is given its first answer again. */
export function enforceIdempotency(route: Route, { commerce, now }: Pick<RespondDeps, 'commerce' | 'now'>): Middleware {
  const { db } = commerce
  const safe = route.secretAnswer ? sealing(commerce.vault) : inTheClear
  return async (ctx, next) => {
    const header = ctx.req.headers['idempotency-key']
    if (header === undefined) return next()
    const key = keyIn(String(header))
    const request = requestOf(ctx, route, key)
    const [at, lockUntil, expires] = [0, LOCK_MS, KEPT_MS].map((ms) => new Date(now() + ms).toISOString())
    const claim = await claimIdempotencyKey(db, request, { now: at!, lock: lockUntil!, expires: expires! })
    if (claim.state === 'reused') throw refused('idempotency_key_reused', REUSED, key)
    if (claim.state === 'in_flight') throw inFlight()
    const { digest } = request
    if (claim.state === 'done') return replay(ctx, safe.open(claim.answer, digest))
    const { lock, applied } = claim
    const handle = onceOf(digest, lock, applied, safe)
    ctx.state.once = handle
    try {
      await next()
      const answer = answerOf(ctx)
      if (handle.forgotten) await releaseIdempotencyKey(db, digest, lock, new Date(now()).toISOString())
      else await storeIdempotentResponse(db, digest, lock, safe.seal(answer, digest))
    } catch (thrown) {
      if (thrown instanceof Problem && isLasting(thrown) && !handle.forgotten) {
        const { status, headers } = thrown
        const answer = { status, headers, body: formatProblem(thrown, ctx.state.requestId) }
        await storeIdempotentResponse(db, digest, lock, safe.seal(answer, digest))
      } else await releaseIdempotencyKey(db, digest, lock, new Date(now()).toISOString())
      throw thrown
    }
  }
}

/** A refusal that says when to ask again passes. */
const isLasting = ({ status, headers }: Problem) => LASTING.has(status) && headers['Retry-After'] === undefined

/** How answers are put into the store, and taken out of it. */
interface Safe {
  seal(answer: StoredResponse, digest: string): StoredResponse
  open(answer: StoredResponse, digest: string): StoredResponse
}

const inTheClear: Safe = { seal: (answer) => answer, open: (answer) => answer }

/** Of an answer with a secret in it, only its status and headers can be read from the store. */
function sealing(vault: SecretCipher): Safe {
  const purposeOf = (digest: string) => `idempotency ${digest}`
  return {
    seal: ({ body, ...rest }, digest) => ({ ...rest, body: body && vault.seal(body, purposeOf(digest)) }),
    open: ({ body, ...rest }, digest) => ({ ...rest, body: body && vault.open(body, purposeOf(digest)) }),
  }
}

interface Handle extends IdempotencyHandle {
  /** Nothing is kept, and the key is let go of. */
  forgotten: boolean
}

function onceOf(digest: string, lock: string, applied: unknown, safe: Safe): Handle {
  /** Another request has taken the key over since: what this one was about to do is undone with its transaction. */
  const hold = (held: boolean) => {
    if (held) return
    handle.forgotten = true
    throw inFlight()
  }
  const handle: Handle = {
    ...{ applied, forgotten: false },
    mark: async (transaction, left) => hold(await recordAppliedWrite(transaction, digest, lock, left)),
    async done(transaction, status, body) {
      const answer = { status, body: JSON.stringify(body), headers: {} }
      hold(await storeIdempotentResponse(transaction, digest, lock, safe.seal(answer, digest)))
    },
    forget() {
      handle.forgotten = true
    },
  }
  return handle
}

function requestOf(ctx: Context, route: Route, key: string) {
  const { customerId, params, query, body, known } = ctx.state
  const { tenant_id, mode } = known!.record
  const scope = [tenant_id, mode, customerId, route.method, route.path, key]
  return {
    tenant_id,
    digest: hash('sha256', JSON.stringify(scope)),
    fingerprint: hash('sha256', canonicalize({ params, query, body: body ?? null }) ?? ''),
  }
}

/** A key stands bare or in quotes (RFC 8941), and is the same key either way. */
function keyIn(header: string): string {
  const quoted = /^"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/.exec(header)
  const key = quoted ? quoted[1]!.replace(/\\(["\\])/g, '$1') : header
  const bare = quoted !== null || /^[\x21\x23-\x7e][\x21-\x7e]*$/.test(header)
  if (!bare || key.length < 1 || key.length > LONGEST) throw refused('idempotency_key_invalid', MALFORMED, header)
  return key
}

const MALFORMED = `Idempotency-Key should be 1 to ${LONGEST} visible ASCII characters, bare or in double quotes`
const REUSED = 'This Idempotency-Key was sent before with another request'

const refused = (type: string, msg: string, input: string) =>
  new InvalidInput([{ type, loc: ['header', 'Idempotency-Key'], msg, input: input.slice(0, 256) }])

const inFlight = () => new Problem('idempotency_in_flight', undefined, { headers: { 'Retry-After': '1' } })

function answerOf({ status, body, response }: Context): StoredResponse {
  const location = response.get('Location')
  const text = typeof body === 'string' ? body : Buffer.isBuffer(body) ? body.toString() : null
  return { status, body: text, headers: location ? { Location: location } : {} }
}

function replay(ctx: Context, { status, body, headers }: StoredResponse): void {
  ctx.set(headers)
  ctx.set('Idempotent-Replayed', 'true')
  ctx.set('Cache-Control', 'private, no-store')
  ctx.set('Vary', VARY_HEADER)
  ctx.status = status
  if (body === null) return
  const problem = status >= 400 && ctx.get('Accept').includes('application/problem+json')
  ctx.set('Content-Type', problem ? 'application/problem+json' : 'application/json')
  ctx.body = body
}
