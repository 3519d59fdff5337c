import type { TObject, TSchema } from 'typebox'
import { IDEMPOTENCY_KEY_PATTERN, MAX_IDEMPOTENCY_KEY_LENGTH } from '../idempotency/idempotency-key.ts'
import type { Route } from '../route.ts'
import { SANDBOX_FAULT_PATTERN } from '../sandbox-fault-header.ts'
import type { CollectSchema } from './collect-schema.ts'
import type { JsonObject } from './json-object.ts'

/** Returns the path, query and header parameters of a route. */
export function toParameters(route: Route, collect: CollectSchema): JsonObject[] {
  const { params, query } = route.input
  return [
    ...schemaParameters('path', params, collect),
    ...schemaParameters('query', query, collect),
    ...headersOf(route).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ]
}

function schemaParameters(
  location: 'path' | 'query',
  schema: TObject | undefined,
  collect: CollectSchema,
): JsonObject[] {
  if (!schema) return []
  const required = new Set(schema.required ?? [])
  return Object.entries(schema.properties).map(([name, member]: [string, DescribedSchema]) => {
    const { description, ...rest } = member
    return {
      name,
      in: location,
      required: location === 'path' || (required.has(name) && !('default' in member)),
      ...(description && { description }),
      schema: withIntegerBounds(collect('$id' in member ? member : (rest as TSchema))),
    }
  })
}

type DescribedSchema = TSchema & { description?: string }

/** An integer that a JavaScript number cannot hold exactly is a 422. */
function withIntegerBounds(schema: JsonObject): JsonObject {
  if (schema.type !== 'integer') return schema
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema
  return { ...schema, minimum, maximum, ...(Number(maximum) >= 2 ** 31 && { format: 'int64' }) }
}

type HeaderName = keyof typeof headerParameters

function headersOf(route: Route): HeaderName[] {
  const callsBackOffice = route.sections !== undefined || (route.method !== 'GET' && !route.readsStoreOnly)
  const has: Record<HeaderName, boolean> = {
    IdempotencyKey: route.idempotent ?? false,
    IfMatch: route.problems?.includes('cart_version_mismatch') ?? false,
    ClientIp: route.hasSecretInput ?? false,
    IfNoneMatch: route.caching !== 'none',
    SandboxFault: callsBackOffice,
  }
  return (Object.keys(has) as HeaderName[]).filter((name) => has[name])
}

const header = (name: string, description: string, schema: JsonObject, example: string): JsonObject => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', ...schema },
  example,
})

/** The headers that several operations accept. */
export const headerParameters = {
  IdempotencyKey: header(
    'Idempotency-Key',
    'A retry with the same key and body gets the first response; stored for 7 days',
    { minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_LENGTH, pattern: IDEMPOTENCY_KEY_PATTERN },
    '8e03978e-40d5-43e8-bc93-6894a57f9324',
  ),
  IfMatch: header('If-Match', 'The version of the cart that this change applies to', {}, '"7"'),
  ClientIp: header(
    'X-Storefront-Client-IP',
    'With a secret key: the shopper’s IP address. Attempts are limited by this address',
    {},
    '203.0.113.7',
  ),
  IfNoneMatch: header(
    'If-None-Match',
    'An ETag of this response: 304 when it has not changed, which does not count against the rate limit if it comes from the cache',
    {},
    '"kq0mZ2vV5mBq1c3PpT8a"',
  ),
  SandboxFault: header(
    'X-Sandbox-Fault',
    'With a sandbox key: makes systems fail for this request. If a system is named more than once, its last failure counts',
    { pattern: SANDBOX_FAULT_PATTERN },
    'pricing=timeout, accounting=error',
  ),
} satisfies Record<string, JsonObject>
