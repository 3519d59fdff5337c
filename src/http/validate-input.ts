import { InvalidInput } from '../errors.ts'
import type { Middleware } from './context.ts'
import { createParameterHint } from './parameter-hint.ts'
import type { RouteInputs } from './route.ts'
import type { RawBody } from './validation/request-input.ts'
import { createRequestValidator } from './validation/request-validator.ts'

/** Validates params, query and body by the route's schemas. Only declared members reach the handler. */
export function validateInput(inputs: RouteInputs, hasSecretInput = false): Middleware {
  const validate = createRequestValidator(inputs, { echo: !hasSecretInput })
  const hintAt = createParameterHint(Object.keys(inputs.query?.properties ?? {}))
  return (ctx, next) => {
    const hint = hintAt(ctx.querystring)
    if (hint) ctx.set('Forecourt-Hint', hint)
    ctx.state.hasHint = hint !== null
    const { params } = ctx as unknown as { params: Record<string, string> }
    const body = ctx.state.body as RawBody | undefined
    const result = validate({ params, query: ctx.querystring, ...(body && { body }) })
    if (!result.ok) throw new InvalidInput(result.detail, describeContentType(ctx.get('Content-Type'), body))
    ctx.state.params = result.value.params as Record<string, unknown>
    ctx.state.query = result.value.query as Record<string, unknown>
    ctx.state.body = result.value.body
    return next()
  }
}

/** Without a JSON type, FastAPI validates the body as one text, which its 422 does not explain. */
function describeContentType(type: string, body: RawBody | undefined): string | undefined {
  if (body?.kind !== 'other') return undefined
  return `Send Content-Type: application/json. The request has ${type === '' ? 'no' : 'another'} Content-Type.`
}
