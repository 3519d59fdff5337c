import type { ValidationItem } from '../../contract/validation-error.ts'
import { InvalidInput } from '../../errors.ts'
import type { UnparsedBody } from '../body/read-body.ts'
import type { Middleware } from '../context.ts'
import type { RouteInputs } from '../route.ts'
import { hintAtBodyEncoding } from './body-encoding-hint.ts'
import { createBodyShapeHint } from './body-shape-hint.ts'
import { createParameterHint } from './parameter-hint.ts'
import { hintAtPathPlaceholder, hintAtQueryPlaceholder } from './placeholder-hint.ts'
import { createRequestValidator } from './request-validator.ts'

/** Validates params, query and body by the route's schemas. Only declared members reach the handler. */
export function validateInput(inputs: RouteInputs, hasSecretInput = false): Middleware {
  const validate = createRequestValidator(inputs, { echo: !hasSecretInput })
  const parameters = Object.entries(inputs.query?.properties ?? {})
  const lists = parameters.filter(([, schema]) => 'type' in schema && schema.type === 'array')
  const hintAtQuery = createParameterHint(toNames(parameters), toNames(lists))
  const hintAtBody = createBodyShapeHint(inputs.body)
  return (ctx, next) => {
    const { params } = ctx as unknown as { params: Record<string, string> }
    const body = ctx.state.body as UnparsedBody | undefined
    const result = validate({ params, query: ctx.querystring, ...(body && { body }) })
    const unset = hintAtPathPlaceholder(params) ?? hintAtQueryPlaceholder(ctx.querystring)
    const hint = unset ?? hintAtQuery(ctx.querystring) ?? result.hint ?? null
    if (hint) ctx.set('Forecourt-Hint', hint)
    ctx.state.hasHint = hint !== null
    if (!result.ok)
      throw createInvalidInput(
        result.detail,
        ctx.get('Content-Type'),
        body,
        unset ??
          hintAtBodyEncoding(body) ??
          hintAtBody(result.detail, body) ??
          (hint === null ? findHint(MISSING_HINTS, result.detail) : undefined),
      )
    ctx.state.params = result.value.params as Record<string, unknown>
    ctx.state.query = result.value.query as Record<string, unknown>
    ctx.state.body = result.value.body
    return next()
  }
}

const toNames = (entries: readonly [string, unknown][]): string[] => entries.map(([name]) => name)

/** How to write a value, for errors of which FastAPI says only what is wrong. */
const FORMAT_HINTS: readonly (readonly [typeAndPlace: RegExp, hint: string])[] = [
  [/^datetime_/, 'Write a time as 2026-01-31T13:45:00Z, or a date as 2026-01-31.'],
  [/^date_/, 'Write a date as 2026-01-31.'],
  [/^string_type /, 'Write a string in double quotes, even if it is a number: "12.50".'],
  [/^json_invalid /, 'Write JSON: names and strings in double quotes, no comma after the last member.'],
  [/^int_parsing_size /, 'Send a smaller number.'],
  [/^int_\w+ (?:path|query)\.vehicle_id$/, 'Send a vehicle_id from GET /v1/vehicles/models.'],
  [/^int_/, 'Write a whole number in digits.'],
  [/^float_/, 'Write a number in digits, with a point before decimals.'],
  [/^greater_than body\.quantity$/, 'To remove a line of a cart: DELETE /v1/carts/{cart_id}/lines/{line_id}.'],
]

/** Where to find a value that is missing, unless the hint names another member or parameter in its place. */
const MISSING_HINTS: typeof FORMAT_HINTS = [
  [/^missing query\.year$/, 'GET /v1/vehicles/years lists the years.'],
  [/^missing query\.make$/, 'GET /v1/vehicles/makes?year={year} lists the makes of a year.'],
]

/**
 * Without a JSON content type, FastAPI validates the body as one text, and its entry does not explain this. A second entry does, and so does
 * a header, for clients that read only the first entry.
 */
function createInvalidInput(
  detail: ValidationItem[],
  type: string,
  body: UnparsedBody | undefined,
  found: string | undefined,
): InvalidInput {
  if (body?.kind !== 'other') return new InvalidInput(detail, found ?? findHint(FORMAT_HINTS, detail))
  const hint = `Send JSON with Content-Type: application/json. The request has ${type === '' ? 'no' : 'another'} Content-Type.`
  const own = { type: 'content_type', loc: ['header', 'Content-Type'], msg: hint, input: type.slice(0, 256) }
  return new InvalidInput([...detail, own], hint)
}

const findHint = (hints: typeof FORMAT_HINTS, detail: readonly ValidationItem[]): string | undefined =>
  hints.find(([form]) => detail.some(({ type, loc }) => form.test(`${type} ${loc.join('.')}`)))?.[1]
