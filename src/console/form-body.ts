import { InvalidInput } from '../errors.ts'
import { readBody } from '../http/body.ts'
import { type ConsoleContext, ConsoleHttpError, type ConsoleMiddleware } from './console-context.ts'

const MOST_BYTES = 65_536

/** Reads a form's bytes: 64 KiB at the most. */
export const readFormBody = (): ConsoleMiddleware => readBody({ limit: MOST_BYTES }) as unknown as ConsoleMiddleware

/** What a form sent. Throws Refusal for anything but a form. */
export function parseForm(ctx: ConsoleContext): URLSearchParams {
  const body = ctx.state.body
  if (!body || body.kind === 'absent') return new URLSearchParams()
  if (!ctx.is('application/x-www-form-urlencoded') || body.kind !== 'other')
    throw new ConsoleHttpError(415, 'A form is expected.')
  return new URLSearchParams(replaceNulCharacters(body.text))
}

/** NUL, which PostgreSQL fails at, as the character that stands for what cannot be shown: nothing has it in its name. */
export const replaceNulCharacters = (text: string): string =>
  text.replaceAll('%00', '%EF%BF%BD').replaceAll('\0', '\uFFFD')

/** What a form sent cannot be taken: the words are shown to who sent it. */
export const createFormError = (msg: string): InvalidInput =>
  new InvalidInput([{ type: 'value_error', loc: ['body'], msg }])
