import Type, { type TObject, type TSchema } from 'typebox'
import { ProblemBody } from '../../contract/common-schemas.ts'
import { Health } from '../../contract/health.ts'
import { HTTPValidationError } from '../../contract/validation.ts'
import { type ProblemCode, problemTypes } from '../../errors.ts'
import type { Route } from '../../http/route.ts'
import { createPicturePathItem } from '../catalog/pictures-openapi.ts'
import { createChangeHintPathItem } from '../webhooks/change-hints-openapi.ts'

type Json = Record<string, unknown>

/** The OpenAPI 3.1 document of these routes, from the schemas that judge their requests and shape their answers. */
export function createOpenApiDocument(routes: readonly Route[]): Json {
  const schemas: Json = {}
  const collect = (schema: TSchema): Json => referenced(schema, schemas)
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, collect) }
  }
  paths['/health'] = { get: healthOperation(collect) }
  paths['/hooks/{merchant}/{system}'] = createChangeHintPathItem(collect)
  paths['/media/{merchant}/{mode}/{source}/{version}/{size}.webp'] = createPicturePathItem(collect)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Forecourt',
      version: '1.0.0',
      description:
        'One storefront API in front of a merchant’s back office. Reads are assembled by section: one that failed is named in `errors[]` while the others are served.',
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'A publishable or secret key of the merchant' },
      },
      schemas,
    },
  }
}

function operation(route: Route, collect: (schema: TSchema) => Json): Json {
  const { params, query, body, bodyOptional } = route.input
  return {
    operationId: route.operationId,
    summary: route.summary,
    tags: [route.tag],
    ...(route.sections && { 'x-sections': route.sections, description: sectionsText(route.sections) }),
    parameters: [...parameters('path', params), ...parameters('query', query), ...headersTaken(route)],
    ...(body && {
      requestBody: { required: !bodyOptional, content: { 'application/json': { schema: collect(body) } } },
    }),
    responses: responsesOf(route, collect),
  }
}

const failures: Readonly<Record<number, string>> = {
  401: 'The key, or the shopper token, is missing or not valid',
  403: 'The key may not do this, or not from this origin',
  404: 'There is no such thing',
  429: 'The rate limit of the key is used up: see Retry-After',
  500: 'A fault here: quote request_id',
  502: 'A required section failed: its system answered with an error',
  503: 'A required section failed: its system cannot be reached, or is being given time',
  504: 'A required section failed: its system did not answer in time',
}

function responsesOf(route: Route, collect: (schema: TSchema) => Json): Json {
  const answers = (description: string, schema: TSchema) => ({
    description,
    content: { 'application/json': { schema: collect(schema) } },
  })
  const possible = Object.entries(failures).filter(([status]) => {
    if (status === '404') return route.input.params !== undefined
    if (route.local) return Number(status) <= 503 && status !== '502'
    return Number(status) < 502 || route.sections !== undefined || route.method !== 'GET'
  })
  const usual = route.status ?? (route.response === null ? 204 : 200)
  const refusals = Object.entries(Object.groupBy(refusedWith(route), (code) => problemTypes[code][0]))
  return {
    [usual]: {
      ...(route.response ? answers('OK', route.response) : { description: 'Done' }),
      headers: headersOf(route),
    },
    ...Object.fromEntries(
      Object.entries(route.alternatives ?? {}).map(([status, schema]) => [status, answers('OK', schema)]),
    ),
    ...(route.caching !== 'none' && { 304: { description: 'Not modified: If-None-Match names the current ETag' } }),
    ...Object.fromEntries(possible.map(([status, description]) => [status, answers(description, ProblemBody)])),
    ...Object.fromEntries(refusals.map(([status, codes]) => [status, answers(codes.join(', '), refusalOf(route))])),
    ...(route.input.body && {
      413: answers('The body is larger than 1 MiB', ProblemBody),
      415: answers('The body’s Content-Encoding is not understood', ProblemBody),
    }),
    422: answers('The request does not fit', named('HTTPValidationError', HTTPValidationError)),
  }
}

const refusedWith = ({ problems = [], idempotent }: Route): readonly ProblemCode[] =>
  idempotent ? [...problems, 'idempotency_in_flight'] : problems

/** A problem, with what this call's refusals say beside. */
function refusalOf(route: Route): TSchema {
  if (!route.problemMembers) return ProblemBody
  const members = Object.entries(route.problemMembers).map(([name, schema]) => [name, Type.Optional(schema)])
  return Type.Object({ ...ProblemBody.properties, ...Object.fromEntries(members) })
}

const named = ($id: string, schema: TSchema): TSchema => ({ ...schema, $id })

function headersOf(route: Route): Json {
  const text = (description: string) => ({ description, schema: { type: 'string' } })
  return {
    'X-Request-Id': text('Names this request in the log'),
    'X-Service-Mode': { description: 'The mode of the key', schema: { type: 'string', enum: ['sandbox', 'live'] } },
    RateLimit: text('What is left of the key’s minute'),
    ...(route.sections && { 'Forecourt-Complete': text('false when errors[] is not empty') }),
    ...(route.caching !== 'none' && {
      ETag: text('Strong, over the exact bytes'),
      'Cache-Status': text('RFC 9211: hit, stale or miss'),
    }),
  }
}

function sectionsText({ required, optional }: NonNullable<Route['sections']>): string {
  const without = optional.length > 0 ? ` May be missing, named in \`errors[]\`: ${optional.join(', ')}.` : ''
  return `Without ${required.join(' and ')} there is no answer (502, 503 or 504).${without}`
}

function parameters(place: 'path' | 'query', schema: TObject | undefined): Json[] {
  if (!schema) return []
  const required = new Set(schema.required ?? [])
  return Object.entries(schema.properties).map(
    ([name, { description, ...of }]: [string, TSchema & { description?: string }]) => ({
      name,
      in: place,
      required: place === 'path' || (required.has(name) && !('default' in of)),
      ...(description && { description }),
      schema: of,
    }),
  )
}

function headersTaken(route: Route): Json[] {
  const text = (name: string, description: string, required = false) => ({
    ...{ name, in: 'header', required, description },
    schema: { type: 'string' },
  })
  return [
    ...(route.needsShopper ? [text('X-Storefront-Shopper-Token', 'Whose it is', true)] : []),
    ...(route.idempotent
      ? [text('Idempotency-Key', 'Sent again with the same body, the first answer is given again; kept for 7 days')]
      : []),
    ...(route.problems?.includes('cart_version_mismatch')
      ? [text('If-Match', 'The version of the cart that this change is meant for, as in "7"')]
      : []),
    ...(route.secretInput
      ? [text('X-Storefront-Client-IP', 'Beside a secret key: the shopper’s own address, by which tries are counted')]
      : []),
    ...headers.filter(({ name }) => {
      if (name === 'X-Sandbox-Fault') return route.sections !== undefined || (route.method !== 'GET' && !route.local)
      if (name === 'If-None-Match') return route.caching !== 'none'
      return route.sections !== undefined && !route.needsShopper
    }),
  ]
}

const headers: Json[] = [
  {
    name: 'X-Storefront-Shopper-Token',
    in: 'header',
    required: false,
    description: 'Beside a secret key: prices become the shopper’s own',
    schema: { type: 'string' },
  },
  {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'An ETag of this answer: 304 when it has not changed, which does not count against the rate limit',
    schema: { type: 'string' },
  },
  {
    name: 'X-Sandbox-Fault',
    in: 'header',
    required: false,
    description: 'With a sandbox key: makes systems fail for this request, as in `pricing=timeout, accounting=error`',
    schema: { type: 'string' },
  },
]

function healthOperation(collect: (schema: TSchema) => Json): Json {
  const content = { 'application/json': { schema: collect(Health) } }
  return {
    operationId: 'health',
    summary: 'Whether this process can serve',
    tags: ['Diagnostics'],
    security: [],
    responses: { 200: { description: 'ok or degraded', content }, 503: { description: 'down', content } },
  }
}

/** Schemas with a name move to components, and stand as references everywhere else. */
function referenced(schema: unknown, schemas: Json): Json {
  if (Array.isArray(schema)) return schema.map((entry) => referenced(entry, schemas)) as unknown as Json
  if (typeof schema !== 'object' || schema === null) return schema as Json
  const { $id, $defs, ...rest } = schema as Json & { $id?: string; $defs?: Record<string, unknown> }
  for (const [name, definition] of Object.entries($defs ?? {})) {
    if (!(name in schemas)) {
      schemas[name] = {}
      schemas[name] = withoutId(referenced(withoutId(definition as Json), schemas))
    }
  }
  if (typeof rest.$ref === 'string' && !rest.$ref.startsWith('#')) return { $ref: `#/components/schemas/${rest.$ref}` }
  if (typeof rest.$ref === 'string' && rest.$ref.startsWith('#/$defs/'))
    return { $ref: rest.$ref.replace('#/$defs/', '#/components/schemas/') }
  const mapped = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, referenced(value, schemas)]))
  if (!$id) return mapped
  if (!($id in schemas)) schemas[$id] = mapped
  return { $ref: `#/components/schemas/${$id}` }
}

function withoutId({ $id: _, ...schema }: Json): Json {
  return schema
}
