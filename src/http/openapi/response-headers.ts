import type { JsonObject } from './json-object.ts'

const headerNames = {
  XRequestId: 'X-Request-Id',
  XServiceMode: 'X-Service-Mode',
  RateLimit: 'RateLimit',
  RetryAfter: 'Retry-After',
  ForecourtComplete: 'Forecourt-Complete',
  ETag: 'ETag',
  CacheStatus: 'Cache-Status',
  IdempotentReplayed: 'Idempotent-Replayed',
  Location: 'Location',
  ContentDisposition: 'Content-Disposition',
  ForecourtHint: 'Forecourt-Hint',
} as const

/** Returns references to response headers. */
export const headers = (...names: readonly (keyof typeof headerNames)[]): JsonObject =>
  Object.fromEntries(names.map((name) => [headerNames[name], { $ref: `#/components/headers/${name}` }]))

const text = (description: string): JsonObject => ({ description, schema: { type: 'string' } })

/** Returns the headers to which responses refer. */
export const createResponseHeaders = (mode: JsonObject): Record<keyof typeof headerNames, JsonObject> => ({
  XRequestId: text('Identifies this request in the log'),
  XServiceMode: { description: 'The mode of the key', schema: mode },
  RateLimit: text('The remaining requests of the current window'),
  RetryAfter: { description: 'Seconds to wait before a retry', schema: { type: 'integer', minimum: 0 } },
  ForecourtComplete: {
    description: 'false when errors[] is not empty',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
  ETag: text('A strong ETag of the exact bytes'),
  CacheStatus: text('RFC 9211: hit, stale or miss'),
  IdempotentReplayed: text('true: this is the stored response to an earlier request with the same Idempotency-Key'),
  Location: text('The path of what was created'),
  ContentDisposition: text('The name of the file, in plain ASCII'),
  ForecourtHint: text(
    'For developers: what to change in the request, for example if a parameter is misspelled and was ignored',
  ),
})
