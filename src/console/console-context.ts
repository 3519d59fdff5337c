import type Koa from 'koa'
import type { UnparsedBody } from '../http/body/read-body.ts'
import type { OperatorSession } from '../storage/operators/operator-sessions.ts'

/** The state that middlewares share during one request. */
export interface ConsoleState {
  session: OperatorSession | null
  /** The operator's IP address, or `unknown`. */
  clientAddress: string
  /** The operator's connection is encrypted, so cookies may be Secure. */
  isSecure: boolean
  body?: UnparsedBody
}

export type ConsoleContext = Koa.ParameterizedContext<ConsoleState>
export type ConsoleMiddleware = Koa.Middleware<ConsoleState>
