import type { TObject, TSchema } from 'typebox'
import type { Route } from '../../http/route.ts'
import type { Json } from './openapi.ts'

/** Returns the path, query and header parameters of a route. */
export function toParameters(route: Route): Json[] {
  const { params, query } = route.input
  return [...schemaParameters('path', params), ...schemaParameters('query', query), ...headerParameters(route)]
}

function schemaParameters(place: 'path' | 'query', schema: TObject | undefined): Json[] {
  if (!schema) return []
  const required = new Set(schema.required ?? [])
  return Object.entries(schema.properties).map(
    ([name, { description, ...member }]: [string, TSchema & { description?: string }]) => ({
      name,
      in: place,
      required: place === 'path' || (required.has(name) && !('default' in member)),
      ...(description && { description }),
      schema: member,
    }),
  )
}

const header = (name: string, description: string, required = false): Json => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
})

function headerParameters(route: Route): Json[] {
  const callsBackOffice = route.sections !== undefined || (route.method !== 'GET' && !route.readsStoreOnly)
  return [
    ...(route.needsShopper ? [header('X-Storefront-Shopper-Token', 'The shopper', true)] : []),
    ...(route.idempotent ? [idempotencyKey] : []),
    ...(route.problems?.includes('cart_version_mismatch') ? [ifMatch] : []),
    ...(route.hasSecretInput ? [clientIp] : []),
    ...(route.sections !== undefined && !route.needsShopper ? [optionalShopperToken] : []),
    ...(route.caching !== 'none' ? [ifNoneMatch] : []),
    ...(callsBackOffice ? [sandboxFault] : []),
  ]
}

const idempotencyKey = header(
  'Idempotency-Key',
  'A retry with the same key and body gets the first response; stored for 7 days',
)
const ifMatch = header('If-Match', 'The version of the cart that this change applies to, as in "7"')
const clientIp = header(
  'X-Storefront-Client-IP',
  'With a secret key: the shopper’s own address, by which attempts are limited',
)
const optionalShopperToken = header('X-Storefront-Shopper-Token', 'With a secret key: returns the shopper’s own prices')
const ifNoneMatch = header(
  'If-None-Match',
  'An ETag of this response: 304 when it has not changed, which does not count against the rate limit if it comes from the cache',
)
const sandboxFault = header(
  'X-Sandbox-Fault',
  'With a sandbox key: makes systems fail for this request, as in `pricing=timeout, accounting=error`',
)
