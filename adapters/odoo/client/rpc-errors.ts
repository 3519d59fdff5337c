import { UpstreamError } from '../../../src/errors.ts'
import type { HttpResponse } from '../../../src/ports/http-client.ts'
import { toLogExcerpt } from '../../../src/upstream/client/log-excerpt.ts'

/** The errors of a database that refused a transaction because of another one, or that is out of reach. */
const RETRYABLE = /SerializationFailure|DeadlockDetected|LockNotAvailable|OperationalError|InterfaceError|PoolError/
/** The error of a read with a field that this Odoo does not have. */
const UNKNOWN_FIELD = /Invalid field|Unknown field/i
/** The errors of `/jsonrpc` for a model or a method that this Odoo does not have. */
const UNKNOWN_METHOD = /^Object .* doesn't exist$|does not exist on the model/
/** The page of Odoo 19, and the error of older versions, for a call to a database that does not exist. */
const UNKNOWN_DATABASE = /No database is selected|database .* does not exist/
/** Reasons of refusals that concern the configuration. They contain neither names nor figures of a merchant, so operators may see them. */
const KNOWN_REASONS =
  /^Invalid language code|^Access to unauthorized or invalid companies|^You do not have enough rights to access the field "\w+"|^You are not allowed to \w+ '[\w ]+' \([\w.]+\) records/
/** What Odoo refuses on purpose: a rule, a right, a record that does not exist. */
const REFUSAL = /^odoo\.exceptions\.(UserError|ValidationError|AccessError|MissingError|RedirectWarning)$/

/** Odoo 16 reports a broken constraint of the database so, because it does not find the language of the call. */
const isBrokenConstraint = ({ name, message }: OdooError) => name === 'builtins.KeyError' && /^'?lang'?$/.test(message)

interface OdooError {
  name: string
  message: string
}

/** Returns the error of JSON-2 in a body; `null` when the body is not Odoo's. */
function parseError(text: string): OdooError | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return null
    const { name, message } = value as Record<string, unknown>
    return typeof name === 'string' && typeof message === 'string' ? { name, message } : null
  } catch {
    return null
  }
}

const describe = (method: string, status: number, error: OdooError | null, text: string) =>
  `${method} responded ${status}: ${toLogExcerpt(error ? `${error.name}: ${error.message}` : text)}`

/** Returns the part of an error that operators may see: a known reason, or else the class of the error. */
const summarizeError = ({ name, message }: OdooError) => KNOWN_REASONS.exec(message)?.[0] ?? toLogExcerpt(name)

/** Maps a response other than 200. Its text may contain names and figures: it is for the log alone. */
export function toRpcError(method: string, { status, text }: HttpResponse): UpstreamError {
  const error = parseError(text)
  const message = describe(method, status, error, text)
  if (status === 401)
    return new UpstreamError('unauthorized', `${message}: the API key is wrong or has expired`, {
      summary: `responded ${status}`,
    })
  const summary = error ? `responded ${status}: ${summarizeError(error)}` : `responded ${status}`
  const isAbsent = status === 404 || status === 405
  if (error && isAbsent && !error.name.endsWith('MissingError'))
    return new UpstreamError('not_configured', `${message}: a module may be missing`, { summary })
  // Without an error of Odoo's own, another program responded, or an Odoo without JSON-2.
  if (status < 400 || (isAbsent && !error)) return new UpstreamError('invalid', message, { summary })
  return new UpstreamError('rejected', message, { summary })
}

/** Returns a failure with the reason that Odoo gives in the body of a 500. Any other failure is returned as it is. */
export function explainServerError(method: string, failure: unknown): unknown {
  if (!(failure instanceof UpstreamError) || failure.failure !== 'error' || failure.reply === null) return failure
  const { status, text } = failure.reply
  const error = parseError(text)
  if (error === null) return failure
  const message = describe(method, status, error, text)
  const options = { cause: failure, summary: `responded ${status}: ${summarizeError(error)}` }
  if (UNKNOWN_FIELD.test(error.message))
    return new UpstreamError('not_configured', `${message}: a module may be missing`, options)
  return new UpstreamError('error', message, { ...options, retryable: failure.retryable || RETRYABLE.test(error.name) })
}

/** Maps the error in a response of `/jsonrpc`, whose status is always 200. Its text is for the log alone. */
export function toFaultError(method: string, fault: OdooError): UpstreamError {
  const { name, message: reason } = fault
  const message = `${method} responded with ${name}: ${toLogExcerpt(reason)}`
  const summary = `responded with ${summarizeError(fault)}`
  if (name === 'odoo.exceptions.AccessDenied')
    return new UpstreamError('unauthorized', `${message}: the API key is wrong or has expired`, { summary })
  if (UNKNOWN_FIELD.test(reason) || UNKNOWN_METHOD.test(reason))
    return new UpstreamError('not_configured', `${message}: a module may be missing`, { summary })
  if (REFUSAL.test(name) || isBrokenConstraint(fault)) return new UpstreamError('rejected', message, { summary })
  return new UpstreamError('error', message, { summary, retryable: RETRYABLE.test(name) })
}

/** Returns true for the failure of a call to a database that does not exist. */
export const isUnknownDatabase = (error: unknown): boolean =>
  error instanceof UpstreamError && UNKNOWN_DATABASE.test(error.message)

/** Returns true for what Odoo refused for good; every other failure is passed on as it is. */
export const isRejected = (error: unknown): error is UpstreamError =>
  error instanceof UpstreamError && error.failure === 'rejected' && !error.retryable
