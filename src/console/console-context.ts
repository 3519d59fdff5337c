import type Koa from 'koa'
import type { RawBody } from '../http/validation/request-input.ts'
import type { OperatorSession } from '../storage/operators/operator-sessions.ts'

/** The state that middlewares share during one request. */
export interface ConsoleState {
  session: OperatorSession | null
  body?: RawBody
}

export type ConsoleContext = Koa.ParameterizedContext<ConsoleState>
export type ConsoleMiddleware = Koa.Middleware<ConsoleState>

/** Returns the IP address of the client. */
export const readClientAddress = (ctx: ConsoleContext): string | null =>
  ctx.req.socket.remoteAddress?.replace(/^::ffff:/, '') ?? null
