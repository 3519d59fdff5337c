import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AccountLookup } from './account-registry.ts'
import type { FaultInjector } from './control/fault-injection.ts'
import { createTokenVerifier } from './http/bearer-token.ts'
import { HttpError } from './http/http-error.ts'
import type { OperationRoute } from './http/operation-router.ts'
import { readJsonBody } from './http/request-body.ts'
import { parseRequestUrl } from './http/request-url.ts'
import { sendError, sendFile, sendJson } from './http/send-response.ts'
import { sendPublishedPicture } from './inventory/published-pictures.ts'
import type { BinaryFile } from './protocol/operation.ts'
import type { SandboxSystem } from './protocol/upstream-protocol.ts'

export interface SystemRequestHandlerParts {
  system: SandboxSystem
  token: string
  findAccount: AccountLookup
  faults: FaultInjector
  /** The number of calls since the start, by operation. */
  calls: Record<string, number>
  /** Loaded in the background: compiling the schemas is the slowest part of a start. */
  routes: () => Promise<typeof import('./http/operation-router.ts') & { all: OperationRoute[] }>
}

type Handler = (input: object) => unknown

/** The public API of one system. Counts each call, applies the fault, validates the input, then runs the operation. */
export function createSystemRequestHandler({
  system,
  token,
  findAccount,
  faults,
  calls,
  routes,
}: SystemRequestHandlerParts) {
  const isTokenValid = createTokenVerifier(token)

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = performance.now()
    const { segments, query } = parseRequestUrl(request.url ?? '/')
    const [account = '', ...path] = segments
    if (system === 'inventory' && account === 'media' && path.length === 1) {
      if (await faults.beforeWork(response, 'readPicture')) await sendPublishedPicture(path[0]!, request, response)
      return
    }
    if (!isTokenValid(request.headers.authorization))
      throw new HttpError(401, 'unauthorized', describeWrongToken(system, account, request))
    const accountSystem = findAccount(account)
    if (!accountSystem) throw new HttpError(404, 'no_account', 'the account does not exist')
    const { all, matchRoute } = await routes()
    const { route, params } = matchRoute(all, request.method ?? 'GET', path)
    calls[route.operation] = (calls[route.operation] ?? 0) + 1
    const body = route.method === 'POST' ? await readJsonBody(request) : undefined
    if (!(await faults.beforeWork(response, route.operation))) return
    if (hasCallerTimedOut(request, startedAt))
      throw new HttpError(503, 'gave_up', 'the request timeout of the caller has passed')
    const { validators } = route
    const handler = accountSystem.handlers[route.operation as keyof typeof accountSystem.handlers] as Handler
    const result = handler({
      params: validators.params(params),
      query: validators.query(query),
      body: validators.body(body),
    })
    const delayMs = accountSystem.takeResponseDelayMs?.() ?? 0
    if (!(await faults.afterWork(response, route.operation, delayMs))) return
    if (route.isFile) sendFile(response, result as BinaryFile)
    else sendJson(response, 200, result)
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch((error: unknown) => sendError(response, error))
  }
}

/** A developer may have sent a request of a storefront to the wrong port: its path or its key shows this. */
function describeWrongToken(system: SandboxSystem, account: string, { headers }: IncomingMessage): string {
  return account === 'v1' || /^(?:bearer +)?svc_/i.test(headers.authorization ?? '')
    ? `this is the embedded ${system} system, not the API: send the request to the address and port of the API`
    : 'the token is missing or wrong'
}

function hasCallerTimedOut(request: IncomingMessage, startedAt: number): boolean {
  const timeoutMs = Number(request.headers['x-request-timeout-ms'] ?? Number.POSITIVE_INFINITY)
  return performance.now() - startedAt > timeoutMs
}
