import Type, { type TSchema } from 'typebox'
import { ProblemBody } from '../../contract/problem.ts'
import { type ProblemCode, problemTypes } from '../../problem-types.ts'
import type { Route } from '../route.ts'
import type { CollectSchema } from './collect-schema.ts'
import { type CommonStatus, commonResponses, referToResponses } from './common-responses.ts'
import type { JsonObject } from './json-object.ts'
import { toProblemContent } from './problem-content.ts'
import { headers } from './response-headers.ts'

/** Returns the success and problem responses of a route. */
export function toResponses(route: Route, collect: CollectSchema): JsonObject {
  const status = route.status ?? (route.response === null && !route.file ? 204 : 200)
  const success = (schema: TSchema | null, created: boolean) => ({
    description: schema || route.file ? 'OK' : 'Done',
    headers: responseHeaders(route, created),
    ...(schema && { content: { 'application/json': { schema: collect(schema) } } }),
    ...(route.file && { content: { [route.file]: { schema: { type: 'string', format: 'binary' } } } }),
  })
  const alternatives = Object.entries(route.alternatives ?? {})
  return {
    [status]: success(route.response, status === 201),
    ...Object.fromEntries(alternatives.map(([other, schema]) => [other, success(schema, other === '201')])),
    ...(route.caching !== 'none' && { 304: { description: 'Not modified: If-None-Match contains the current ETag' } }),
    ...referToResponses(commonStatusesOf(route)),
    ...toOwnProblems(route, collect),
  }
}

function commonStatusesOf(route: Route): CommonStatus[] {
  const has = { params: route.input.params !== undefined, body: route.input.body !== undefined }
  const callsBackOffice = !route.readsStoreOnly && (route.sections !== undefined || route.method !== 'GET')
  const conditions: Partial<Record<CommonStatus, boolean>> = {
    404: has.params,
    408: has.body,
    413: has.body,
    415: has.body,
    502: callsBackOffice,
    504: callsBackOffice,
  }
  const statuses = Object.keys(commonResponses).map(Number) as CommonStatus[]
  return statuses.filter((status) => conditions[status] ?? true)
}

/** Returns the responses with the route's own problems, which also have the common problems of their status. */
function toOwnProblems(route: Route, collect: CollectSchema): JsonObject {
  const byStatus = Object.groupBy(problemsOf(route), (code) => problemTypes[code][0])
  const schema = toProblemSchema(route)
  const entries = Object.entries(byStatus).map(([status, codes]) => [
    status,
    {
      description: [describeCommon(route, Number(status)), ...codes.map(describeProblem)].filter(Boolean).join('. '),
      headers: headers('XRequestId', ...(codes.some(isRepeatable) ? (['RetryAfter'] as const) : []), 'ForecourtHint'),
      content: toProblemContent(collect(schema), codes),
    },
  ])
  return Object.fromEntries(entries)
}

/** With `Retry-After`, the same request may be sent again. */
const isRepeatable = (code: ProblemCode) => code === 'idempotency_in_flight' || code === 'cart_converted'

const describeProblem = (code: ProblemCode): string => `\`${code}\`: ${problemTypes[code][2].replace(/\.$/, '')}`

function describeCommon(route: Route, status: number): string | undefined {
  const common = commonStatusesOf(route).find((one) => one === status)
  return common && commonResponses[common].description
}

const problemsOf = ({ problems = [], idempotent }: Route): readonly ProblemCode[] =>
  idempotent ? [...problems, 'idempotency_in_flight'] : problems

/** Returns the schema of a problem with the route's extra members. */
function toProblemSchema({ operationId, problemMembers }: Route): TSchema {
  if (!problemMembers) return ProblemBody
  const members = Object.entries(problemMembers).map(([name, schema]) => [name, Type.Optional(schema)])
  const $id = `${operationId[0]!.toUpperCase()}${operationId.slice(1)}Problem`
  return Type.Object({ ...ProblemBody.properties, ...Object.fromEntries(members) }, { $id })
}

const responseHeaders = (route: Route, isCreation: boolean): JsonObject =>
  headers(
    'XRequestId',
    'XServiceMode',
    'RateLimit',
    ...(route.sections && !route.file ? (['ForecourtComplete'] as const) : []),
    ...(route.file ? (['ContentDisposition'] as const) : []),
    ...(route.caching !== 'none' ? (['ETag', 'CacheStatus'] as const) : []),
    ...(route.idempotent ? (['IdempotentReplayed'] as const) : []),
    ...(isCreation ? (['Location'] as const) : []),
    'ForecourtHint',
  )
