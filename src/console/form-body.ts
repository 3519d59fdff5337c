import { InvalidInput } from '../errors.ts'
import { readBody } from '../http/body/read-body.ts'
import type { ConsoleContext, ConsoleMiddleware } from './console-context.ts'
import { ConsoleHttpError } from './console-http-error.ts'
import { replaceNulCharacters } from './replace-nul-characters.ts'

const MAX_FORM_BYTES = 65_536

/** Reads the bytes of a form, at most 64 KiB. */
export const readFormBody = (): ConsoleMiddleware => readBody({ limit: MAX_FORM_BYTES }) as unknown as ConsoleMiddleware

/** Parses the form of a request. Throws ConsoleHttpError 415 for any other body. */
export function parseForm(ctx: ConsoleContext): URLSearchParams {
  const body = ctx.state.body
  if (!body || body.kind === 'absent') return new URLSearchParams()
  if (!ctx.is('application/x-www-form-urlencoded') || body.kind !== 'other')
    throw new ConsoleHttpError(415, 'The request body must be a form.')
  return new URLSearchParams(replaceNulCharacters(body.text))
}

/** Creates the error of an invalid form. The message is shown to the operator. */
export const createFormError = (msg: string): InvalidInput =>
  new InvalidInput([{ type: 'value_error', loc: ['body'], msg }])
