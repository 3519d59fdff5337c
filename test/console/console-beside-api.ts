import { createPasswordHasher } from '../../src/commands/password-hasher.ts'
import { listAuditLog } from '../../src/storage/operators/audit-log.ts'
import { addOperator, type OperatorRole } from '../../src/storage/operators/operator-accounts.ts'
import { type Api, startApi } from '../support/api.ts'
import { type HttpRequestOptions, type Reply, sendHttpRequest } from '../support/send-http-request.ts'
import { type OperatorBrowser, toCookieHeader } from './test-console.ts'

export const PASSWORD = 'correct horse battery'

/** A browser in which an operator is signed in to the console of an API. */
export interface SignedInBrowser extends OperatorBrowser {
  get(path: string): Promise<Reply>
  /** Sends an empty form with the CSRF token of the session. */
  submit(path: string): Promise<Reply>
}

/** An API with its operations listener. */
export interface ConsoleBesideApi extends AsyncDisposable {
  api: Api
  /** Ada, who may act. */
  operator: SignedInBrowser
  /** Eve, who may only look. */
  support: SignedInBrowser
  request(path: string, options?: HttpRequestOptions): Promise<Reply>
  postForm(path: string, form: Record<string, string>, cookie?: string): Promise<Reply>
  /** The actions in the audit log: who, what and its outcome, the latest first. */
  listActions(): Promise<string[][]>
}

export async function startConsoleBesideApi(store: string): Promise<ConsoleBesideApi> {
  const api = await startApi({ store, operations: {} })
  const request = (path: string, options?: HttpRequestOptions) => sendHttpRequest(api.operationsAddress, path, options)

  function postForm(path: string, form: Record<string, string>, cookie?: string): Promise<Reply> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: api.operationsAddress, cookie }
    return request(path, { method: 'POST', headers, body: new URLSearchParams(form).toString() })
  }

  async function signInAs(name: string, role: OperatorRole): Promise<SignedInBrowser> {
    const passwordHash = await createPasswordHasher().hash(PASSWORD)
    await addOperator(api.db, { name, role, passwordHash }, Date.now())
    const cookie = toCookieHeader(await postForm('/sign-in', { name, password: PASSWORD }))
    const get = (path: string) => request(path, { headers: { cookie } })
    const csrf = /name="csrf" value="(\w+)"/.exec((await get('/audit')).text)![1]!
    return { cookie, csrf, get, submit: (path) => postForm(path, { csrf }, cookie) }
  }

  return {
    api,
    operator: await signInAs('ada', 'operator'),
    support: await signInAs('eve', 'support'),
    request,
    postForm,
    listActions: async () =>
      (await listAuditLog(api.db, { limit: 50 })).map(({ operator, action, outcome }) => [operator, action, outcome]),
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  }
}
