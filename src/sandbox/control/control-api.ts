import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AccountLookup } from '../account-registry.ts'
import { HttpError } from '../http/http-error.ts'
import { readJsonBody, sendError, sendJson } from '../http/json-http.ts'
import { parseRequestUrl } from '../http/request-url.ts'
import type { Fault } from './fault-injection.ts'

export interface ControlApiParts {
  accountSystem: AccountLookup
  fault: () => Fault
  setFault: (fault: Fault) => Promise<void>
  calls: Record<string, number>
}

/** What tests and demonstrations may do to a system, on a listener of its own on this machine. */
export function createControlApi({ accountSystem: booksOf, fault, setFault, calls }: ControlApiParts) {
  const actions: Record<string, (request: IncomingMessage) => Promise<object>> = {
    'GET /faults': async () => fault(),
    'PUT /faults': async (request) => {
      await setFault((await checked('faults', request)) as Fault)
      return fault()
    },
    'DELETE /faults': async () => {
      await setFault({})
      return fault()
    },
    'GET /calls': async () => ({ ...calls }),
    'POST /calls/reset': async () => {
      for (const operation of Object.keys(calls)) delete calls[operation]
      return {}
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A page in somebody's browser must not be able to spoil a demonstration.
    if (request.headers.origin !== undefined) throw new HttpError(403, 'forbidden', 'not for browsers')
    const { segments } = parseRequestUrl(request.url ?? '/')
    const action = actions[`${request.method} /${segments.join('/')}`]
    const [account = '', kind = '', key = ''] = segments
    if (action) return sendJson(response, 200, await action(request))
    const kept = booksOf(account)
    if (!kept) throw new HttpError(404, 'no_account', 'there is no such account')
    const reads = kept.reads ?? {}
    if (request.method === 'GET' && Object.hasOwn(reads, kind))
      return sendJson(response, 200, reads[kind]!(key || undefined))
    const change = Object.hasOwn(kept.changes, kind) ? kept.changes[kind] : undefined
    if (!change || segments.length !== 3) throw new HttpError(404, 'not_found', 'there is no such path')
    const method = kind === 'products' ? 'PATCH' : 'PUT'
    if (request.method !== method) throw new HttpError(405, 'method_not_allowed', `this path answers ${method}`)
    sendJson(response, 200, change(key, await checked(kind, request)))
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    answer(request, response).catch((error: unknown) => sendError(response, error))
  }
}

async function checked(kind: string, request: IncomingMessage): Promise<unknown> {
  const [{ validateControlChange: checkChange }, body] = await Promise.all([
    import('./control-schemas.ts'),
    readJsonBody(request),
  ])
  return checkChange(kind, body)
}
