import { UpstreamError } from '../../../src/errors.ts'
import type { HttpResponse } from '../../../src/ports/adapter.ts'
import { redactedExcerpt } from '../../../src/upstream/redacted-excerpt.ts'

/** Two transactions met; the same question a moment later may well be answered. */
const CONFLICT = /could not obtain lock|database is locked|deadlock detected|could not serialize/i
/** What its database, or its machine, says of itself while it is going down, coming up, or short of something. */
const IN_TROUBLE =
  /\[errno (?:5|11|12|23|24|28|30|32|1\d\d)\]|connection (?:unexpectedly|to server|already|has been|refused|reset|timed out|not open)|server closed the connection|terminating connection|cursor already closed|could not (?:connect|receive|send|fork|resize|extend|write|translate)|the database system is|too many (?:clients|connections)|remaining connection slots|canceling statement|out of memory|out of shared memory|no space left|disk i\/o error|connection pool exhausted|SSL (?:SYSCALL|connection)/i
/** Python's bare KeyError text. */
const KEY_ERROR = /^'([a-z][\w.]*)'$/i

/** What Tryton says to its users, who asked for something that must not be. */
export class TrytonUserError extends UpstreamError {
  readonly #words: string

  constructor(message: string, words: string) {
    super('rejected', message)
    this.#words = words
  }

  /** All of it, with stock counts and customers' names: to be understood here, and no more. */
  get words(): string {
    return this.#words
  }
}

/** A question of Tryton's, to which a user may say yes: by its name, and by asking again. */
export class TrytonUserWarning extends TrytonUserError {
  readonly warning: string

  constructor(warning: string, message: string, words: string) {
    super(message, words)
    this.warning = warning
  }
}

/** Somebody else has written the record since it was read. */
export class ConcurrentWriteError extends UpstreamError {}

/** An exception in Tryton, or in a module of its merchant's, that was meant for nobody. */
export class TrytonServerError extends UpstreamError {}

/** There is no such model or field: a module is missing there. */
export class UnknownNameError extends TrytonServerError {}

/** What an `error` member means. Its items differ by kind: `[kind, [message, …]]`, or `[text, traceback]`. */
export function toRpcError(method: string, error: unknown, params: readonly unknown[] = []): UpstreamError {
  const [kind, more] = Array.isArray(error) ? error : [error]
  const text = textOf(kind, more)
  const said = `${method}: ${redactedExcerpt(text)}`
  // On the whole text: a long statement in front must not hide what happened.
  if (kind === 'ConcurrencyException') return new ConcurrentWriteError('error', said, { retryable: true })
  if (CONFLICT.test(text)) return new UpstreamError('error', said, { retryable: true })
  if (kind === 'UserWarning' && Array.isArray(more)) return new TrytonUserWarning(String(more[0]), said, text)
  if (kind === 'UserError' || kind === 'UserWarning' || kind === 'LoginException')
    return new TrytonUserError(said, text)
  if (IN_TROUBLE.test(text)) return new UpstreamError('error', said, { retryable: true })
  const key = typeof kind === 'string' && KEY_ERROR.exec(kind)?.[1]
  // One that nobody asked for is missed by the code there.
  if (key && (method.replace(/^wizard\./, '').startsWith(`${key}.`) || names(params).has(key)))
    return new UnknownNameError('not_configured', `${said} is not known there: is a module missing?`)
  return new TrytonServerError('error', said)
}

/** All that a question names: fields and models, whole and by the parts of `party.name`. */
function names(asked: unknown, found = new Set<string>()): Set<string> {
  if (typeof asked === 'string') for (const name of [asked, ...asked.split('.')]) found.add(name)
  else if (typeof asked === 'object' && asked !== null)
    for (const [name, value] of Object.entries(asked)) {
      names(name, found)
      names(value, found)
    }
  return found
}

/** What a status other than 200 means; the pages that come with it are for people. */
export function toHttpStatusError(method: string, reply: HttpResponse): UpstreamError {
  const meaning: Record<number, string> = {
    401: 'the login was not accepted',
    403: 'the method is not open to this account',
    404: 'there is no such database',
    409: 'two transactions met',
  }
  const said = `${method} answered ${reply.status}: ${meaning[reply.status] ?? redactedExcerpt(reply.text)}`
  if (reply.status === 409) return new UpstreamError('error', said, { retryable: true })
  return new UpstreamError(reply.status < 400 ? 'invalid' : 'rejected', said)
}

function textOf(kind: unknown, more: unknown): string {
  // A warning is preceded by its name, which is a digest.
  const text = Array.isArray(more) ? more[kind === 'UserWarning' ? 1 : 0] : undefined
  return typeof text === 'string' ? `${String(kind)}: ${text}` : String(kind)
}
