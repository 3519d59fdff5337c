import { Invalid } from '../errors.ts'
import type { Inputs } from './route.ts'
import { compileInput } from './validation/request-validator.ts'
import type { RawBody } from './validation/request-input.ts'
import type { Middleware } from './context.ts'

/** Judges params, query and body by the route's schemas; what they declare, and nothing else, goes on. */
export function validated(inputs: Inputs, secret = false): Middleware {
  const judge = compileInput(inputs)
  return (ctx, next) => {
    const { params } = ctx as unknown as { params: Record<string, string> }
    const body = ctx.state.body as RawBody | undefined
    const judged = judge({ params, query: ctx.querystring, ...(body && { body }) })
    if (!judged.ok) throw new Invalid(secret ? judged.detail.map(({ input: _, ...item }) => item) : judged.detail)
    ctx.state.params = judged.value.params as Record<string, unknown>
    ctx.state.query = judged.value.query as Record<string, unknown>
    ctx.state.body = judged.value.body
    return next()
  }
}
