import type { Context } from 'koa'

/** The client has disconnected: nginx's status, for the access log. */
const CLIENT_CLOSED_REQUEST = 499

/** Ends the work for a client that has disconnected. */
export function endWithoutResponse(ctx: Pick<Context, 'status' | 'respond'>): void {
  ctx.status = CLIENT_CLOSED_REQUEST
  ctx.respond = false
}
