import type { OperatorRole } from '../storage/operators/operator-accounts.ts'

/** One request of somebody who has signed in, after session, role, CSRF token and origin were judged. */
export interface ConsoleRequest {
  operator: { operatorId: string; name: string; role: OperatorRole }
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** Of a POST: what its form sent. */
  form: URLSearchParams
  /** Where they come from. */
  address: string | null
  /** Aborted when they leave. */
  signal: AbortSignal
}

/** `template`: a file of src/console/templates, which sees `it.view` alone beside what all pages have (frame.ts, Common). */
export interface TemplateResponse {
  template: string
  title: string
  view: object
  status?: number
}

/** After a POST: 303 to a page, which shows the notice once. */
export interface RedirectResponse {
  redirect: string
  notice: string
  /** It was refused or failed, and the notice says why. */
  failed?: boolean
}

/** JSON, for a page's own script. */
export interface JsonResponse {
  json: object
  status?: number
}

export interface ConsolePage {
  method: 'GET' | 'POST'
  /** As @koa/router has it: `/incidents/:id`. */
  path: string
  /** The least that the account must be: `support` reads, `operator` acts. A POST is `operator`. */
  role: OperatorRole
  /** Its main part is rendered again each second, and sent to who looks at it when it has changed. GET alone. */
  live?: boolean
  answer(visit: ConsoleRequest): Promise<TemplateResponse | RedirectResponse | JsonResponse>
  /** Told of whoever asked without being allowed to. */
  refused?(visit: ConsoleRequest): Promise<void>
}
