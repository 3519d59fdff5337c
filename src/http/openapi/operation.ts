import { allowsPublishableKey } from '../access/authorize.ts'
import { toBodyLimitKib } from '../body/body-limit-from-schema.ts'
import type { Route } from '../route.ts'
import type { CollectSchema } from './collect-schema.ts'
import type { JsonObject } from './json-object.ts'
import { toParameters } from './parameters.ts'
import { toResponses } from './responses.ts'
import { toInputSchema } from './to-input-schema.ts'

/** Returns the OpenAPI operation of a route. */
export function toOperation(route: Route, collect: CollectSchema): JsonObject {
  const { body, bodyOptional } = route.input
  const parameters = toParameters(route, collect)
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: describe(route),
    tags: [route.tag],
    ...(route.scope !== null && { 'x-scope': route.scope }),
    ...(route.sections && { 'x-sections': route.sections }),
    security: toSecurity(route),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        description: `At most ${toBodyLimitKib(body)} KiB`,
        required: !bodyOptional,
        content: { 'application/json': { schema: toBodySchema(route.input, collect) } },
      },
    }),
    responses: toResponses(route, collect),
  }
}

/** A body that is optional may be null, which counts as no body. */
function toBodySchema({ body, bodyOptional }: Route['input'], collect: CollectSchema): JsonObject {
  const schema = collect(toInputSchema(body!))
  return bodyOptional ? { anyOf: [schema, { type: 'null' }] } : schema
}

/** The shopper token is required, optional (it selects the shopper's own prices), or not used. */
function toSecurity({ needsShopper, sections }: Route): JsonObject[] {
  const [withKey, withShopper] = [{ apiKey: [] }, { apiKey: [], shopperToken: [] }]
  if (needsShopper) return [withShopper]
  return sections ? [withKey, withShopper] : [withKey]
}

function describe({ scope, sections }: Route): string {
  const scopeText = scope === null ? 'Any key may call it.' : `Needs the scope \`${scope}\`.`
  const keyText = allowsPublishableKey(scope) ? '' : ' Only with a secret key.'
  return `${scopeText}${keyText}${sections ? ` ${describeSections(sections)}` : ''}`
}

function describeSections({ required, optional }: NonNullable<Route['sections']>): string {
  const optionalText =
    optional.length > 0 ? ` Optional, reported in \`errors[]\` when missing: ${optional.join(', ')}.` : ''
  return `Required, or the request fails with 502, 503 or 504: ${required.join(', ')}.${optionalText}`
}
