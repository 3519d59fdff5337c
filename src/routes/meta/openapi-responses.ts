import Type, { type TSchema } from 'typebox'
import { ProblemBody } from '../../contract/problem.ts'
import { HTTPValidationError } from '../../contract/validation.ts'
import { type ProblemCode, problemTypes } from '../../errors.ts'
import { toBodyLimitKib } from '../../http/body-limit.ts'
import type { Route } from '../../http/route.ts'
import type { CollectSchema, Json } from './openapi.ts'

const commonProblems: Readonly<Record<number, string>> = {
  401: 'The key, or the shopper token, is missing or not valid',
  403: 'The key does not allow this call, or not from this origin; or the server runs no sandbox',
  404: 'Not found',
  429: 'The rate limit of the key, or of this client with it, is exceeded: see Retry-After',
  500: 'Internal error: report request_id',
  502: 'A required section failed: its system returned an error',
  503: 'The store is unavailable, or a required section failed: its system cannot be reached, its circuit is open, or the catalog is being read for the first time',
  504: 'A required section failed: its system did not respond in time',
}

/** Returns the success and problem responses of a route. */
export function toResponses(route: Route, collect: CollectSchema): Json {
  const response = (description: string, schema: TSchema) => ({
    description,
    content: { 'application/json': { schema: collect(schema) } },
  })
  const common = Object.entries(commonProblems).filter(([status]) => canRespondWith(route, status))
  const own = Object.entries(Object.groupBy(problemsOf(route), (code) => problemTypes[code][0]))
  const status = route.status ?? (route.response === null ? 204 : 200)
  return {
    [status]: {
      ...(route.response ? response('OK', route.response) : { description: 'Done' }),
      headers: responseHeaders(route),
    },
    ...Object.fromEntries(
      Object.entries(route.alternatives ?? {}).map(([status, schema]) => [status, response('OK', schema)]),
    ),
    ...(route.caching !== 'none' && { 304: { description: 'Not modified: If-None-Match contains the current ETag' } }),
    ...Object.fromEntries(common.map(([status, description]) => [status, response(description, ProblemBody)])),
    ...Object.fromEntries(own.map(([status, codes]) => [status, response(codes.join(', '), toProblemSchema(route))])),
    ...(route.input.body && {
      413: response(`The body is larger than ${toBodyLimitKib(route.input.body)} KiB`, ProblemBody),
      415: response('The body’s Content-Encoding is not supported', ProblemBody),
    }),
    422: response('The request is not valid', { ...HTTPValidationError, $id: 'HTTPValidationError' } as TSchema),
  }
}

function canRespondWith(route: Route, status: string): boolean {
  if (status === '404') return route.input.params !== undefined
  if (status === '503') return true
  if (route.readsStoreOnly) return Number(status) < 502
  return Number(status) < 502 || route.sections !== undefined || route.method !== 'GET'
}

const problemsOf = ({ problems = [], idempotent }: Route): readonly ProblemCode[] =>
  idempotent ? [...problems, 'idempotency_in_flight'] : problems

/** Returns the schema of a problem with the route's extra members. */
function toProblemSchema(route: Route): TSchema {
  if (!route.problemMembers) return ProblemBody
  const members = Object.entries(route.problemMembers).map(([name, schema]) => [name, Type.Optional(schema)])
  return Type.Object({ ...ProblemBody.properties, ...Object.fromEntries(members) })
}

function responseHeaders(route: Route): Json {
  const text = (description: string) => ({ description, schema: { type: 'string' } })
  return {
    'X-Request-Id': text('Identifies this request in the log'),
    'X-Service-Mode': { description: 'The mode of the key', schema: { type: 'string', enum: ['sandbox', 'live'] } },
    RateLimit: text('The remaining requests of the current window'),
    ...(route.sections && { 'Forecourt-Complete': text('false when errors[] is not empty') }),
    ...(route.caching !== 'none' && {
      ETag: text('A strong ETag of the exact bytes'),
      'Cache-Status': text('RFC 9211: hit, stale or miss'),
    }),
  }
}
