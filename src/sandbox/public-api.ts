import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AccountLookup } from './account-registry.ts'
import type { FaultInjector } from './control/fault-injection.ts'
import { createTokenVerifier } from './http/bearer-token.ts'
import { HttpError } from './http/http-error.ts'
import { readJsonBody, sendError, sendFile, sendJson } from './http/json-http.ts'
import type { OperationRoute } from './http/operation-router.ts'
import { parseRequestUrl } from './http/request-url.ts'
import { sendPublishedPicture } from './inventory/published-pictures.ts'
import type { SandboxSystem } from './protocol/operation-handlers.ts'
import type { BinaryFile } from './protocol/schema-types.ts'

export interface PublicApiParts {
  system: SandboxSystem
  token: string
  /** By account. */
  accountSystem: AccountLookup
  faults: FaultInjector
  /** Calls that arrived since the start, by operation. */
  calls: Record<string, number>
  /** Compiled in the background, because loading the schemas takes longer than everything else in a start. */
  routes: () => Promise<typeof import('./http/operation-router.ts') & { all: OperationRoute[] }>
}

type Handler = (input: object) => unknown

/** What a system answers to its merchants: counted, spoiled by the fault that is set, checked, then looked up. */
export function createPublicApi({ system, token, accountSystem: booksOf, faults, calls, routes }: PublicApiParts) {
  const isOurs = createTokenVerifier(token)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now()
    const { segments, query } = parseRequestUrl(request.url ?? '/')
    const [account = '', ...path] = segments
    if (system === 'inventory' && account === 'media' && path.length === 1) {
      if (await faults.beforeWork(response, 'readPicture')) await sendPublishedPicture(path[0]!, request, response)
      return
    }
    if (!isOurs(request.headers.authorization))
      throw new HttpError(401, 'unauthorized', 'the token is missing or wrong')
    const kept = booksOf(account)
    if (!kept) throw new HttpError(404, 'not_found', 'there is no such account')
    const { all, matchRoute } = await routes()
    const { route, params } = matchRoute(all, request.method ?? 'GET', path)
    calls[route.operation] = (calls[route.operation] ?? 0) + 1
    const body = route.method === 'POST' ? await readJsonBody(request) : undefined
    if (!(await faults.beforeWork(response, route.operation))) return
    if (gaveUp(request, started)) throw new HttpError(503, 'gave_up', 'the caller waits no longer')
    const { checks } = route
    const handler = kept.handlers[route.operation as keyof typeof kept.handlers] as Handler
    const answered = handler({ params: checks.params(params), query: checks.query(query), body: checks.body(body) })
    const lateMs = kept.takeLateMs?.() ?? 0
    if (!(await faults.afterWork(response, route.operation, lateMs))) return
    if (route.file) sendFile(response, answered as BinaryFile)
    else sendJson(response, 200, answered)
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    answer(request, response).catch((error: unknown) => sendError(response, error))
  }
}

function gaveUp(request: IncomingMessage, started: number): boolean {
  const waits = Number(request.headers['x-request-timeout-ms'] ?? Number.POSITIVE_INFINITY)
  return performance.now() - started > waits
}
