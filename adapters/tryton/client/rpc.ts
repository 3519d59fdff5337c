import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { HttpClient, HttpResponse, ResponseSchema } from '../../../src/ports/http-client.ts'
import { toLogExcerpt } from '../../../src/upstream/client/log-excerpt.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { raceWithAbort } from '../../race-with-abort.ts'
import { runSharedLoad, SHARED_LOAD_TIMEOUT_MS } from '../../shared-load.ts'
import { stripUnstorableCharacters } from '../../strip-unstorable-characters.ts'
import type { TrytonSettings } from '../settings.ts'
import { toHttpStatusError, toRpcError } from './rpc-errors.ts'

interface Session {
  authorization: string
  path: RpcPath
}

export type RpcContext = Record<string, unknown>

/** Calls one method of a model, a `wizard.…` or a `report.…`. The context, which always has the company, is the last parameter. */
export type Rpc = <T>(
  shape: ResponseSchema<T>,
  method: string,
  params: unknown[],
  call: Call,
  context?: RpcContext,
) => Promise<T>

/** The id of the user and the session; newer series add the address of their bus. */
const Login = responseSchema(
  Type.Union([
    Type.Tuple([Type.Integer(), Type.String()]),
    Type.Tuple([Type.Integer(), Type.String(), Type.Unknown()]),
  ]),
)
/** The path of calls below that of the database, up to 7.8 and from 8.0 on. The server responds 405 at the other one. */
const RPC_PATHS = ['', 'rpc/'] as const
type RpcPath = (typeof RPC_PATHS)[number]
/** Tryton delays, and finally locks, an account whose password fails repeatedly. */
const REJECTED_LOGIN_PAUSE_MS = 30_000
const LOGIN_REFUSALS: ReadonlySet<string> = new Set(['unauthorized', 'rejected', 'rate_limited'])

/**
 * Returns an RPC client of one database and user. It logs in on first use, and once again when the session has expired
 * or the server was upgraded to a series with another path.
 */
export function createRpc(settings: TrytonSettings, client: HttpClient, nowMs: () => number): Rpc {
  const sessions = createSessions(settings, client, nowMs)
  const baseContext: RpcContext = { company: settings.company ?? 1, language: settings.language ?? 'en' }
  return async (shape, method, params, call, context) => {
    const name = /^(?:wizard|report)\./.test(method) ? method : `model.${method}`
    const storableParams = stripUnstorableCharacters([...params, { ...baseContext, ...context }])
    const send = ({ path, authorization }: Session) =>
      post(client, settings, path, name, storableParams, call, authorization)
    const session = await sessions.current(call)
    let response = await send(session)
    if (response.status === 401 || response.status === 405) {
      sessions.end(session)
      response = await send(await sessions.current(call))
    }
    return shape.parse(cutToRequestedRows(method, params, parseResult(method, response, params)))
  }
}

function createSessions(settings: TrytonSettings, client: HttpClient, nowMs: () => number) {
  let pendingLogin: Promise<Session> | undefined
  let currentSession: Session | undefined
  let path: RpcPath = RPC_PATHS[0]
  let isClosed = false
  let rejectedLogin: { error: UpstreamError; until: number } | undefined
  client.onClose(logout)

  async function postLogin(call: Call): Promise<HttpResponse> {
    const { user, password, language } = settings
    const params = [user, { password }, language ?? 'en']
    const response = await post(client, settings, path, 'common.db.login', params, call)
    if (response.status !== 405) return response
    path = RPC_PATHS.find((other) => other !== path)!
    return post(client, settings, path, 'common.db.login', params, call)
  }

  async function login(requestId: string): Promise<Session> {
    if (isClosed) throw new UpstreamError('aborted', 'logged out')
    if (rejectedLogin && nowMs() < rejectedLogin.until) throw rejectedLogin.error
    try {
      const response = await runSharedLoad(requestId, SHARED_LOAD_TIMEOUT_MS, postLogin)
      const [id, key] = Login.parse(parseResult('common.db.login', response))
      const authorization = `Session ${Buffer.from(`${settings.user}:${id}:${key}`).toString('base64')}`
      currentSession = { authorization, path }
      return currentSession
    } catch (error) {
      if (error instanceof UpstreamError && LOGIN_REFUSALS.has(error.failure)) {
        rejectedLogin = { error, until: nowMs() + REJECTED_LOGIN_PAUSE_MS }
      }
      // A login writes nothing that a retry would write twice.
      if (error instanceof UpstreamError && error.failure === 'timeout')
        throw new UpstreamError('timeout', `login: ${error.message}`, { cause: error, retryable: true })
      throw error
    }
  }

  /**
   * Ends the session. Tryton reads all sessions of an account for each call: abandoned ones, which live for a month by
   * default, slow down every call.
   */
  async function logout(call: Call): Promise<void> {
    isClosed = true
    await pendingLogin?.catch(() => {})
    if (currentSession !== undefined)
      await post(client, settings, currentSession.path, 'common.db.logout', [], call, currentSession.authorization)
  }

  return {
    current(call: Call): Promise<Session> {
      pendingLogin ??= login(call.requestId).catch((error: unknown) => {
        pendingLogin = undefined
        throw error
      })
      return raceWithAbort(pendingLogin, call)
    },
    /** Discards a session. Of several callers whose calls failed together, only the first one does so. */
    end(session: Session) {
      if (session === currentSession) pendingLogin = currentSession = undefined
    },
  }
}

function post(
  client: HttpClient,
  settings: TrytonSettings,
  path: RpcPath,
  method: string,
  params: unknown[],
  call: Call,
  authorization?: string,
): Promise<HttpResponse> {
  const headers = authorization === undefined ? {} : { authorization }
  // Without an id, Tryton sends errors as HTML pages.
  const body = { id: 1, method, params }
  const database = encodeURIComponent(settings.database)
  return client.send({ method: 'POST', path: `/${database}/${path}`, body, headers }, call)
}

/** Cuts a list to the rows that were requested, before they are validated. */
function cutToRequestedRows(method: string, params: readonly unknown[], result: unknown): unknown {
  if (!Array.isArray(result)) return result
  const [ids, , limit] = params
  if (method.endsWith('.read') && Array.isArray(ids)) return result.slice(0, ids.length)
  const isSearch = method.endsWith('.search_read') || method.endsWith('.search')
  return isSearch && typeof limit === 'number' ? result.slice(0, limit) : result
}

function parseResult(method: string, response: HttpResponse, params: readonly unknown[] = []): unknown {
  if (response.status !== 200) throw toHttpStatusError(method, response)
  const envelope = parseEnvelope(method, response.text)
  if (envelope.error !== undefined && envelope.error !== null) throw toRpcError(method, envelope.error, params)
  return envelope.result
}

function parseEnvelope(method: string, text: string): { result?: unknown; error?: unknown } {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && ('result' in value || 'error' in value)) return value
  } catch {
    // The error below reports it, with what came instead.
  }
  throw new UpstreamError('invalid', `${method} did not respond with JSON-RPC: ${toLogExcerpt(text)}`)
}
