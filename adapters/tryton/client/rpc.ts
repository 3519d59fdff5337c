import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { HttpClient, HttpResponse, ResponseSchema } from '../../../src/ports/adapter.ts'
import type { Call } from '../../../src/ports/call.ts'
import { redactedExcerpt } from '../../../src/upstream/redacted-excerpt.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import type { TrytonSettings } from '../settings.ts'
import { toHttpStatusError, toRpcError } from './rpc-errors.ts'
import { runSharedLoad, waitWithAbort } from './shared-load.ts'

export type RpcContext = Record<string, unknown>

/** One method of one model, or of a `wizard.…`; the context, always with the company, goes last. */
export type Rpc = <T>(
  answer: ResponseSchema<T>,
  method: string,
  params: unknown[],
  call: Call,
  context?: RpcContext,
) => Promise<T>

const Login = responseSchema(Type.Tuple([Type.Integer(), Type.String()]))
const LOGIN_LIMIT_MS = 10_000
/** Tryton slows down, and at last locks out, an account whose password fails again and again. */
const REFUSED_LOGIN_REST_MS = 30_000

/** Speaks with one database as one user: logs in when first needed, and again, once, when a session has ended. */
export function createRpc(settings: TrytonSettings, client: HttpClient, now: () => number): Rpc {
  const session = createSession(settings, client, now)
  const base: RpcContext = { company: settings.company ?? 1, language: settings.language ?? 'en' }
  return async (answer, method, params, call, context) => {
    const name = method.startsWith('wizard.') ? method : `model.${method}`
    const whole = storable([...params, { ...base, ...context }])
    const ask = (authorization: string) => post(client, settings, name, whole, call, authorization)
    const authorization = await session.authorization(call)
    let reply = await ask(authorization)
    if (reply.status === 401) {
      session.ended(authorization)
      reply = await ask(await session.authorization(call))
    }
    return answer.parse(resultOf(method, reply, params))
  }
}

function createSession(settings: TrytonSettings, client: HttpClient, now: () => number) {
  let current: Promise<string> | undefined
  let value: string | undefined
  let closed = false
  let refused: { error: UpstreamError; until: number } | undefined
  client.onClose(logout)

  async function login(requestId: string): Promise<string> {
    if (closed) throw new UpstreamError('aborted', 'logged out')
    if (refused && now() < refused.until) throw refused.error
    try {
      const { user, password, language } = settings
      const params = [user, { password }, language ?? 'en']
      const reply = await runSharedLoad(requestId, LOGIN_LIMIT_MS, (call) =>
        post(client, settings, 'common.db.login', params, call),
      )
      const [id, key] = Login.parse(resultOf('common.db.login', reply))
      value = `Session ${Buffer.from(`${user}:${id}:${key}`).toString('base64')}`
      return value
    } catch (error) {
      if (error instanceof UpstreamError && (error.failure === 'rejected' || error.failure === 'rate_limited')) {
        refused = { error, until: now() + REFUSED_LOGIN_REST_MS }
      }
      throw error
    }
  }

  /** Tryton reads all sessions of an account anew for each call: those left behind, for a month by its defaults, slow down every one. */
  async function logout(call: Call): Promise<void> {
    closed = true
    await current?.catch(() => {})
    if (value !== undefined) await post(client, settings, 'common.db.logout', [], call, value)
  }

  return {
    authorization(call: Call): Promise<string> {
      current ??= login(call.requestId).catch((error: unknown) => {
        current = undefined
        throw error
      })
      return waitWithAbort(current, call)
    },
    /** Callers whose calls failed together end the same session: only the first of them does so. */
    ended(authorization: string) {
      if (authorization === value) current = value = undefined
    },
  }
}

function post(
  client: HttpClient,
  settings: TrytonSettings,
  method: string,
  params: unknown[],
  call: Call,
  authorization?: string,
): Promise<HttpResponse> {
  const headers = authorization === undefined ? {} : { authorization }
  // Without an id Tryton sends errors as pages of HTML.
  const body = { id: 1, method, params }
  return client.send({ method: 'POST', path: `/${encodeURIComponent(settings.database)}/`, body, headers }, call)
}

/** PostgreSQL keeps no NUL and no half a character in a text: what fails for it would fail for ever, and count against Tryton. */
function storable<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed() as T
  if (Array.isArray(value)) return value.map(storable) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, storable(held)])) as T
}

function resultOf(method: string, reply: HttpResponse, params: readonly unknown[] = []): unknown {
  if (reply.status !== 200) throw toHttpStatusError(method, reply)
  const envelope = parsed(method, reply.text)
  if (envelope.error !== undefined && envelope.error !== null) throw toRpcError(method, envelope.error, params)
  return envelope.result
}

function parsed(method: string, text: string): { result?: unknown; error?: unknown } {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && ('result' in value || 'error' in value)) return value
  } catch {
    // Said below, with what came instead.
  }
  throw new UpstreamError('invalid', `${method} did not answer as JSON-RPC: ${redactedExcerpt(text)}`)
}
