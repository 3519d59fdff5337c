import { Invalid } from '../errors.ts'
import { readBody } from '../http/body.ts'
import { type Context, type Middleware, Refusal } from './console-context.ts'

const MOST_BYTES = 65_536

/** Reads a form's bytes: 64 KiB at the most. */
export const readForm = (): Middleware => readBody({ limit: MOST_BYTES }) as unknown as Middleware

/** What a form sent. Throws Refusal for anything but a form. */
export function formOf(ctx: Context): URLSearchParams {
  const body = ctx.state.body
  if (!body || body.kind === 'absent') return new URLSearchParams()
  if (!ctx.is('application/x-www-form-urlencoded') || body.kind !== 'other')
    throw new Refusal(415, 'A form is expected.')
  return new URLSearchParams(storable(body.text))
}

/** NUL, which PostgreSQL fails at, as the character that stands for what cannot be shown: nothing has it in its name. */
export const storable = (text: string): string => text.replaceAll('%00', '%EF%BF%BD').replaceAll('\0', '\uFFFD')

/** What a form sent cannot be taken: the words are shown to who sent it. */
export const mistaken = (msg: string): Invalid => new Invalid([{ type: 'value_error', loc: ['body'], msg }])
