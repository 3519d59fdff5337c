import { InvalidInput } from '../errors.ts'
import type { Middleware } from './context.ts'
import type { RouteInputs } from './route.ts'
import type { RawBody } from './validation/request-input.ts'
import { createRequestValidator } from './validation/request-validator.ts'

/** Judges params, query and body by the route's schemas; what they declare, and nothing else, goes on. */
export function validateInput(inputs: RouteInputs, secret = false): Middleware {
  const judge = createRequestValidator(inputs)
  return (ctx, next) => {
    const { params } = ctx as unknown as { params: Record<string, string> }
    const body = ctx.state.body as RawBody | undefined
    const judged = judge({ params, query: ctx.querystring, ...(body && { body }) })
    if (!judged.ok) throw new InvalidInput(secret ? judged.detail.map(({ input: _, ...item }) => item) : judged.detail)
    ctx.state.params = judged.value.params as Record<string, unknown>
    ctx.state.query = judged.value.query as Record<string, unknown>
    ctx.state.body = judged.value.body
    return next()
  }
}
