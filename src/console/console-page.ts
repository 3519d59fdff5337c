import type { OperatorRole } from '../storage/operators/operator-accounts.ts'

/** A request of a signed-in operator. Session, role, CSRF token and origin have been checked. */
export interface ConsoleRequest {
  operator: { operatorId: string; name: string; role: OperatorRole }
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** The form of a POST. */
  form: URLSearchParams
  /** The IP address of the client. */
  address: string | null
  /** The address of these pages as browsers use it: `https://ops.example`. */
  origin: string
  /** Aborted when the client disconnects. */
  signal: AbortSignal
}

/** A page from a template in src/console/templates. The template sees `it.view` and the TemplateContext of page-renderer.ts. */
export interface TemplateResponse {
  template: string
  title: string
  view: object
  status?: number
}

/** The response to a POST: 303 to a page, which shows the message once. */
export interface RedirectResponse {
  redirect: string
  message: string
  /** The action was refused or failed, and the message says why. */
  isFailure?: boolean
  /** A choice of the operator that the browser keeps; `seconds` 0 deletes it. */
  cookie?: { name: string; value: string; seconds: number }
}

/** JSON for a script of a page. */
export interface JsonResponse {
  json: object
  status?: number
}

/** A file to download. */
export interface FileResponse {
  file: { name: string; format: 'json' | 'csv'; body: string }
}

export type ConsoleResponse = TemplateResponse | RedirectResponse | JsonResponse | FileResponse

export interface ConsolePage {
  method: 'GET' | 'POST'
  /** A path in the syntax of @koa/router: `/incidents/:id`. */
  path: string
  /** The minimum role: `support` reads, `operator` acts. A POST that changes something requires `operator`. */
  role: OperatorRole
  /** The page is rendered again each second and streamed to open browsers when it has changed. GET only. */
  isLive?: boolean
  respond(request: ConsoleRequest): Promise<ConsoleResponse>
  /** Called for a request whose role is too low. */
  onRefused?(request: ConsoleRequest): Promise<void>
}
