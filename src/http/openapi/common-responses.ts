import { ProblemBody } from '../../contract/problem.ts'
import { HTTPValidationError } from '../../contract/validation-error.ts'
import type { ProblemCode } from '../../problem-types.ts'
import type { CollectSchema } from './collect-schema.ts'
import type { JsonObject } from './json-object.ts'
import { toProblemContent } from './problem-content.ts'
import { headers } from './response-headers.ts'

interface CommonResponse {
  name: string
  description: string
  /** The problem that its example shows. */
  code?: ProblemCode
  hasRetryAfter?: true
  hasHint?: true
}

/** The error responses that most operations have, by status. */
export const commonResponses = {
  400: { name: 'BadRequest', description: 'The request is not well-formed HTTP' },
  401: {
    name: 'Unauthorized',
    description: 'The key, or the shopper token, is missing or not valid',
    code: 'invalid_api_key',
  },
  403: {
    name: 'Forbidden',
    code: 'insufficient_scope',
    description: 'The key does not allow this call, or not from this origin; or the server runs no sandbox',
  },
  404: { name: 'NotFound', description: 'Not found', code: 'not_found', hasHint: true },
  408: { name: 'RequestTimeout', description: 'The request did not arrive in time' },
  413: { name: 'ContentTooLarge', description: 'The body is larger than its limit', code: 'payload_too_large' },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body’s Content-Encoding is not supported',
    code: 'unsupported_media_type',
  },
  422: { name: 'ValidationFailed', description: 'The request is not valid. `detail` has each mistake', hasHint: true },
  429: {
    name: 'RateLimited',
    code: 'rate_limited',
    description: 'The rate limit of the key, or of this client with it, is exceeded: see Retry-After',
    hasRetryAfter: true,
  },
  431: { name: 'HeadersTooLarge', description: 'The request line and headers exceed 16 KiB' },
  500: { name: 'InternalError', description: 'Internal error: report request_id', code: 'internal_error' },
  502: {
    name: 'BadGateway',
    code: 'downstream_error',
    description: 'A required section failed: its system returned an error',
    hasRetryAfter: true,
  },
  503: {
    name: 'ServiceUnavailable',
    code: 'downstream_unavailable',
    description:
      'The store is unavailable, or a required section failed: its system cannot be reached, its circuit is open, or the catalog is being loaded',
    hasRetryAfter: true,
  },
  504: {
    name: 'GatewayTimeout',
    code: 'downstream_timeout',
    description: 'A required section failed: its system did not respond in time',
    hasRetryAfter: true,
  },
} as const satisfies Readonly<Record<number, CommonResponse>>

export type CommonStatus = keyof typeof commonResponses

/** Returns references to the responses for these statuses. */
export const referToResponses = (statuses: readonly CommonStatus[]): JsonObject =>
  Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${commonResponses[status].name}` }]),
  )

const validationExample = {
  detail: [{ type: 'missing', loc: ['body', 'sku'], msg: 'Field required', input: { quantity: 2 } }],
}

/** Returns the responses to which operations refer. */
export function createCommonResponses(collect: CollectSchema): JsonObject {
  const problem = collect(ProblemBody)
  const invalid = { 'application/json': { schema: collect(HTTPValidationError), example: validationExample } }
  const entries = Object.entries<CommonResponse>(commonResponses).map(([status, response]) => {
    const { name, description, code, hasRetryAfter, hasHint } = response
    return [
      name,
      {
        description,
        headers: headers(
          'XRequestId',
          ...(hasRetryAfter ? (['RetryAfter'] as const) : []),
          ...(hasHint ? (['ForecourtHint'] as const) : []),
        ),
        content: status === '422' ? invalid : toProblemContent(problem, code && [code]),
      },
    ]
  })
  return Object.fromEntries(entries)
}
