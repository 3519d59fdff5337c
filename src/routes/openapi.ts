import type { TObject, TSchema } from 'typebox'
import { ProblemBody } from '../contract/common.ts'
import { Health } from '../contract/health.ts'
import { HTTPValidationError } from '../contract/validation.ts'
import type { Route } from './route.ts'

type Json = Record<string, unknown>

/** The OpenAPI 3.1 document of these routes, from the schemas that judge their requests and shape their answers. */
export function openApi(routes: readonly Route[]): Json {
  const schemas: Json = {}
  const collect = (schema: TSchema): Json => referenced(schema, schemas)
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, collect) }
  }
  paths['/health'] = { get: healthOperation(collect) }
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
  const { params, query, body } = route.input
  return {
    operationId: route.operationId,
    summary: route.summary,
    tags: [route.tag],
    ...(route.sections && { 'x-sections': route.sections, description: sectionsText(route.sections) }),
    parameters: [...parameters('path', params), ...parameters('query', query), ...headers],
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: collect(body) } } } }),
    responses: {
      200: { description: 'OK', content: { 'application/json': { schema: collect(route.response) } } },
      ...(route.caching !== 'none' && { 304: { description: 'Not modified: If-None-Match names the current ETag' } }),
      422: {
        description: 'The request does not fit',
        content: { 'application/json': { schema: collect(HTTPValidationError) } },
      },
      default: { description: 'Any other failure', content: { 'application/json': { schema: collect(ProblemBody) } } },
    },
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

const headers: Json[] = [
  {
    name: 'X-Storefront-Shopper-Token',
    in: 'header',
    required: false,
    description: 'Beside a secret key: prices become the shopper’s own',
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
