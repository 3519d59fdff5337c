import type Koa from 'koa'
import type { RawBody } from '../http/validation/request-input.ts'
import type { OperatorSession } from '../storage/operators/operator-sessions.ts'

/** What the shell's parts leave for each other. */
export interface ConsoleState {
  session: OperatorSession | null
  body?: RawBody
}

export type ConsoleContext = Koa.ParameterizedContext<ConsoleState>
export type ConsoleMiddleware = Koa.Middleware<ConsoleState>

/** Where somebody comes from. */
export const readClientAddress = (ctx: ConsoleContext): string | null =>
  ctx.req.socket.remoteAddress?.replace(/^::ffff:/, '') ?? null

/** An answer that says why something is not done: shown as a page, in our own words alone. */
export class ConsoleHttpError extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, why: string, headers: Readonly<Record<string, string>> = {}) {
    super(why)
    this.name = 'Refusal'
    this.status = status
    this.headers = headers
  }
}
