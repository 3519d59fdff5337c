import type { IncomingMessage, ServerResponse } from 'node:http'
import { readAddress } from './http/request-url.ts'
import { readJson, sendFailure, sendFile, sendJson } from './http/json-http.ts'
import type { BooksOf } from './account-registry.ts'
import type { Faults } from './control/fault-injection.ts'
import type { System } from './protocol/operation-handlers.ts'
import { sendPicture } from './inventory/published-pictures.ts'
import type { KeptFile } from './protocol/schema-types.ts'
import { Refusal } from './http/http-error.ts'
import type { Route } from './http/operation-router.ts'
import { tokenCheck } from './http/bearer-token.ts'

export interface Desk {
  system: System
  token: string
  /** By account. */
  booksOf: BooksOf
  faults: Faults
  /** Calls that arrived since the start, by operation. */
  calls: Record<string, number>
  /** Compiled in the background, because loading the schemas takes longer than everything else in a start. */
  routes: () => Promise<typeof import('./http/operation-router.ts') & { all: Route[] }>
}

type Handler = (input: object) => unknown

/** What a system answers to its merchants: counted, spoiled by the fault that is set, checked, then looked up. */
export function publicCalls({ system, token, booksOf, faults, calls, routes }: Desk) {
  const isOurs = tokenCheck(token)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now()
    const { segments, query } = readAddress(request.url ?? '/')
    const [account = '', ...path] = segments
    if (system === 'inventory' && account === 'media' && path.length === 1) {
      if (await faults.pass(response, 'readPicture')) await sendPicture(path[0]!, request, response)
      return
    }
    if (!isOurs(request.headers.authorization)) throw new Refusal(401, 'unauthorized', 'the token is missing or wrong')
    const kept = booksOf(account)
    if (!kept) throw new Refusal(404, 'not_found', 'there is no such account')
    const { all, match } = await routes()
    const { route, params } = match(all, request.method ?? 'GET', path)
    calls[route.operation] = (calls[route.operation] ?? 0) + 1
    const body = route.method === 'POST' ? await readJson(request) : undefined
    if (!(await faults.pass(response, route.operation))) return
    if (gaveUp(request, started)) throw new Refusal(503, 'gave_up', 'the caller waits no longer')
    const { checks } = route
    const handler = kept.handlers[route.operation as keyof typeof kept.handlers] as Handler
    const answered = handler({ params: checks.params(params), query: checks.query(query), body: checks.body(body) })
    const lateMs = kept.takeLateMs?.() ?? 0
    if (!(await faults.sends(response, route.operation, lateMs))) return
    if (route.file) sendFile(response, answered as KeptFile)
    else sendJson(response, 200, answered)
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    answer(request, response).catch((error: unknown) => sendFailure(response, error))
  }
}

function gaveUp(request: IncomingMessage, started: number): boolean {
  const waits = Number(request.headers['x-request-timeout-ms'] ?? Number.POSITIVE_INFINITY)
  return performance.now() - started > waits
}
