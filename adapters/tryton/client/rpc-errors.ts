import { UpstreamError } from '../../../src/errors.ts'
import type { HttpResponse } from '../../../src/ports/http-client.ts'
import { toLogExcerpt } from '../../../src/upstream/client/log-excerpt.ts'

/** Two transactions conflicted; the same call may succeed a moment later. */
const CONFLICT = /could not obtain lock|database is locked|deadlock detected|could not serialize/i
/** From 8.2 on, Tryton refuses a step that the state of the record does not offer: another process has changed it. In English. */
const STEP_NOT_OFFERED = /You can not call "\w+" on "/
/** Errors of the database or machine while it stops, starts or runs out of a resource. */
const SYSTEM_TROUBLE =
  /\[errno (?:5|11|12|23|24|28|30|32|1\d\d)\]|connection (?:unexpectedly|to server|already|has been|refused|reset|timed out|not open)|server closed the connection|terminating connection|cursor already closed|could not (?:connect|receive|send|fork|resize|extend|write|translate)|the database system is|too many (?:clients|connections)|remaining connection slots|canceling statement|out of memory|out of shared memory|no space left|disk i\/o error|connection pool exhausted|SSL (?:SYSCALL|connection)/i
/** The text of a Python KeyError. */
const KEY_ERROR = /^'([a-z][\w.]*)'$/i

/** The error that Tryton shows to a user whose request is not allowed. */
export class TrytonUserError extends UpstreamError {
  readonly #fullText: string

  constructor(message: string, text: string) {
    super('rejected', message)
    this.#fullText = text
  }

  /** The full text. It may contain stock counts and customer names: the adapter parses it, and never passes it on. */
  get fullText(): string {
    return this.#fullText
  }
}

/** A warning of Tryton, which a user can confirm by its name and then repeat the call. */
export class TrytonUserWarning extends TrytonUserError {
  readonly warningName: string

  constructor(warning: string, message: string, text: string) {
    super(message, text)
    this.warningName = warning
  }
}

/** The record was written since it was read, or has left the state that the step needs. */
export class ConcurrentWriteError extends UpstreamError {}

/** An unexpected exception in Tryton or in a module of the merchant. */
export class TrytonServerError extends UpstreamError {}

/** The model or field does not exist: a module is missing. */
export class UnknownNameError extends TrytonServerError {}

/** Maps an `error` member. Its items differ by kind: `[kind, [message, …]]`, or `[text, traceback]`. */
export function toRpcError(method: string, error: unknown, params: readonly unknown[] = []): UpstreamError {
  const [kind, details] = Array.isArray(error) ? error : [error]
  const text = errorText(kind, details)
  const message = `${method}: ${toLogExcerpt(text)}`
  // Matched on the full text: the excerpt may cut off the cause after a long statement.
  if (kind === 'ConcurrencyException' || (kind === 'UserError' && STEP_NOT_OFFERED.test(text)))
    return new ConcurrentWriteError('error', message, { retryable: true })
  if (CONFLICT.test(text)) return new UpstreamError('error', message, { retryable: true })
  if (kind === 'UserWarning' && Array.isArray(details)) return new TrytonUserWarning(String(details[0]), message, text)
  if (kind === 'LoginException') return new UpstreamError('unauthorized', message)
  if (kind === 'UserError' || kind === 'UserWarning') return new TrytonUserError(message, text)
  if (SYSTEM_TROUBLE.test(text)) return new UpstreamError('error', message, { retryable: true })
  const key = typeof kind === 'string' && KEY_ERROR.exec(kind)?.[1]
  // A name that the request does not contain is a bug on the server.
  if (key && (method.replace(/^(?:wizard|report)\./, '').startsWith(`${key}.`) || collectNames(params).has(key)))
    return new UnknownNameError('not_configured', `${message} is unknown to the server: a module may be missing`)
  return new TrytonServerError('error', message)
}

/** Returns all names in a request: fields and models, whole and by the parts of `party.name`. */
function collectNames(value: unknown, names = new Set<string>()): Set<string> {
  if (typeof value === 'string') for (const name of [value, ...value.split('.')]) names.add(name)
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) {
      collectNames(name, names)
      collectNames(member, names)
    }
  return names
}

/** Maps an HTTP status other than 200, whose body is an HTML page. */
export function toHttpStatusError(method: string, response: HttpResponse): UpstreamError {
  const meanings: Record<number, string> = {
    401: 'the login was rejected',
    403: 'this account may not call the method',
    404: 'the database does not exist, or another server responded',
    409: 'two transactions conflicted',
  }
  const message = `${method} responded ${response.status}: ${meanings[response.status] ?? toLogExcerpt(response.text)}`
  if (response.status === 409) return new UpstreamError('error', message, { retryable: true })
  // An absent record is an empty list. These statuses come from a server without this database, such as a misrouted proxy.
  if (response.status === 401) return new UpstreamError('unauthorized', message)
  const isForeign = response.status < 400 || response.status === 404 || response.status === 405
  return new UpstreamError(isForeign ? 'invalid' : 'rejected', message)
}

function errorText(kind: unknown, details: unknown): string {
  // The first item of a warning is its name, which is a digest.
  const text = Array.isArray(details) ? details[kind === 'UserWarning' ? 1 : 0] : undefined
  return typeof text === 'string' ? `${String(kind)}: ${text}` : String(kind)
}

/** Returns true for what Tryton refused for good; every other failure is passed on as it is. */
export const isRejected = (error: unknown): error is UpstreamError =>
  error instanceof UpstreamError && error.failure === 'rejected' && !error.retryable
