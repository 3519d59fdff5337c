import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AccountLookup } from '../account-registry.ts'
import { HttpError } from '../http/http-error.ts'
import { readJsonBody } from '../http/request-body.ts'
import { parseRequestUrl } from '../http/request-url.ts'
import { sendError, sendJson } from '../http/send-response.ts'
import type { Fault } from './fault-injection.ts'

export interface ControlApiParts {
  findAccount: AccountLookup
  fault: () => Fault
  setFault: (fault: Fault) => Promise<void>
  calls: Record<string, number>
}

/** The control API of one system, for tests and demonstrations. It listens on its own port of this machine only. */
export function createControlApi({ findAccount, fault, setFault, calls }: ControlApiParts) {
  const actions: Record<string, (request: IncomingMessage) => Promise<object>> = {
    'GET /faults': async () => fault(),
    'PUT /faults': async (request) => {
      await setFault((await readValidBody('faults', request)) as Fault)
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

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A web page must not be able to change the sandbox.
    if (request.headers.origin !== undefined)
      throw new HttpError(403, 'forbidden', 'the control API does not accept requests from browsers')
    const { segments } = parseRequestUrl(request.url ?? '/')
    const action = actions[`${request.method} /${segments.join('/')}`]
    const [account = '', kind = '', key = ''] = segments
    if (action) return sendJson(response, 200, await action(request))
    const accountSystem = findAccount(account)
    if (!accountSystem) throw new HttpError(404, 'no_account', 'the account does not exist')
    const reads = accountSystem.controlReads ?? {}
    if (request.method === 'GET' && Object.hasOwn(reads, kind))
      return sendJson(response, 200, reads[kind]!(key || undefined))
    const change = Object.hasOwn(accountSystem.controlChanges, kind) ? accountSystem.controlChanges[kind] : undefined
    if (!change || segments.length !== 3) throw new HttpError(404, 'not_found', 'the path does not exist')
    const method = kind === 'products' ? 'PATCH' : 'PUT'
    if (request.method !== method) throw new HttpError(405, 'method_not_allowed', `this path accepts only ${method}`)
    sendJson(response, 200, change(key, await readValidBody(kind, request)))
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch((error: unknown) => sendError(response, error))
  }
}

async function readValidBody(kind: string, request: IncomingMessage): Promise<unknown> {
  const [{ validateControlChange }, body] = await Promise.all([import('./control-schemas.ts'), readJsonBody(request)])
  return validateControlChange(kind, body)
}
