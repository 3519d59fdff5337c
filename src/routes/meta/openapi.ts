import type { TSchema } from 'typebox'
import { Health } from '../../contract/health.ts'
import { toBodyLimitKib } from '../../http/body-limit.ts'
import type { Route } from '../../http/route.ts'
import { createPicturePathItem } from '../catalog/pictures.ts'
import { createChangeHintPathItem } from '../webhooks/change-hints.ts'
import { toParameters } from './openapi-parameters.ts'
import { toResponses } from './openapi-responses.ts'
import { replaceNamedSchemas } from './openapi-schemas.ts'

export type Json = Record<string, unknown>

/** Returns the JSON Schema of a schema; one with a name is collected as a component, and returned as a reference. */
export type CollectSchema = (schema: TSchema) => Json

/** Returns the OpenAPI 3.1 document of these routes, generated from the schemas that validate their requests and type their responses. */
export function createOpenApiDocument(routes: readonly Route[]): Json {
  const schemas: Json = {}
  const collect: CollectSchema = (schema) => replaceNamedSchemas(schema, schemas)
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(route, collect) }
  }
  paths['/health'] = { get: createHealthOperation(collect) }
  paths['/hooks/{merchant}/{system}'] = createChangeHintPathItem(collect)
  paths['/media/{merchant}/{mode}/{source}/{version}/{size}.webp'] = createPicturePathItem(collect)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Forecourt',
      version: '1.0.0',
      description:
        'One storefront API in front of a merchant’s back office. A response is assembled from sections: a section that fails is reported in `errors[]`, and the others are returned.',
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

function toOperation(route: Route, collect: CollectSchema): Json {
  const { body, bodyOptional } = route.input
  return {
    operationId: route.operationId,
    summary: route.summary,
    tags: [route.tag],
    ...(route.sections && { 'x-sections': route.sections, description: describeSections(route.sections) }),
    parameters: toParameters(route),
    ...(body && {
      requestBody: {
        description: `At most ${toBodyLimitKib(body)} KiB`,
        required: !bodyOptional,
        content: { 'application/json': { schema: collect(body) } },
      },
    }),
    responses: toResponses(route, collect),
  }
}

function describeSections({ required, optional }: NonNullable<Route['sections']>): string {
  const optionalText =
    optional.length > 0 ? ` Optional, reported in \`errors[]\` when missing: ${optional.join(', ')}.` : ''
  return `Required, or the request fails with 502, 503 or 504: ${required.join(', ')}.${optionalText}`
}

function createHealthOperation(collect: CollectSchema): Json {
  const content = { 'application/json': { schema: collect(Health) } }
  return {
    operationId: 'health',
    summary: 'Get the health of this process',
    tags: ['Diagnostics'],
    security: [],
    responses: { 200: { description: 'ok or degraded', content }, 503: { description: 'down', content } },
  }
}
