import { Health } from '../../contract/health.ts'
import { ModeSchema } from '../../contract/schema-parts.ts'
import type { CollectSchema } from '../../http/openapi/collect-schema.ts'
import { createCommonResponses, referToResponses } from '../../http/openapi/common-responses.ts'
import { withExample } from '../../http/openapi/examples.ts'
import type { JsonObject } from '../../http/openapi/json-object.ts'
import { nameInlineSchemas } from '../../http/openapi/name-inline-schemas.ts'
import { toOperation } from '../../http/openapi/operation.ts'
import { headerParameters } from '../../http/openapi/parameters.ts'
import { replaceNamedSchemas } from '../../http/openapi/replace-named-schemas.ts'
import { createResponseHeaders } from '../../http/openapi/response-headers.ts'
import { createWebhooks } from '../../http/openapi/webhooks.ts'
import type { Route } from '../../http/route.ts'
import { routeTags } from '../../http/route-tags.ts'
import { MALFORMED_REQUEST_CODE } from '../../http/server/malformed-requests.ts'
import { problemTypes } from '../../problem-types.ts'
import { createChangeHintPathItem } from '../back-office/change-hints.ts'
import { createPicturePathItem } from '../catalog/pictures.ts'

/** Returns the OpenAPI 3.1 document of these routes, generated from the schemas that validate their requests and type their responses. */
export function createOpenApiDocument(routes: readonly Route[]): JsonObject {
  const steps = buildOpenApiDocument(routes)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Builds the document in short steps, so that a server can respond to others between them. */
export function* buildOpenApiDocument(routes: readonly Route[]): Generator<undefined, JsonObject> {
  const schemas: JsonObject = {}
  const collect: CollectSchema = (schema) => replaceNamedSchemas(schema, schemas)
  const paths = yield* withExamples(yield* createPaths(routes, collect))
  const webhooks = yield* createWebhooks(collect)
  const responses = createCommonResponses(collect)
  const headers = createResponseHeaders(collect(ModeSchema))
  yield
  nameInlineSchemas(schemas as Record<string, JsonObject>)
  yield
  addValues(schemas, 'ProblemCode', [...Object.keys(problemTypes), MALFORMED_REQUEST_CODE])
  addValues(schemas, 'SectionField', listSections(routes))
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    tags: Object.entries(routeTags).map(([name, description]) => ({ name, description })),
    security: [{ apiKey: [] }],
    paths,
    webhooks,
    components: { securitySchemes, parameters: headerParameters, headers, responses, schemas },
  }
}

const info = {
  title: 'Forecourt',
  version: '1.0.0',
  description:
    'One storefront API in front of a merchant’s back office. A response is assembled from sections: a section that fails is reported in `errors[]`, and the others are returned.',
  contact: { name: 'The merchant that issued your key' },
  license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
}

const securitySchemes = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'A publishable or secret key of the merchant' },
  shopperToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Storefront-Shopper-Token',
    description: 'The `shopper_token` of a session. It selects a customer only together with a secret key',
  },
}

function* withExamples(paths: Record<string, JsonObject>): Generator<undefined, JsonObject> {
  const examples: JsonObject = {}
  for (const [path, operations] of Object.entries(paths)) {
    const entries = Object.entries(operations).map(([method, operation]) => [
      method,
      withExample(operation as JsonObject),
    ])
    examples[path] = Object.fromEntries(entries)
    yield
  }
  return examples
}

function* createPaths(
  routes: readonly Route[],
  collect: CollectSchema,
): Generator<undefined, Record<string, JsonObject>> {
  const paths: Record<string, JsonObject> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(route, collect) }
    yield
  }
  paths['/health'] = { get: createHealthOperation(collect) }
  paths['/hooks/{merchant}/{system}'] = createChangeHintPathItem(collect)
  paths['/media/{merchant}/{mode}/{source}/{version}/{size}.webp'] = createPicturePathItem(collect)
  return paths
}

/** Lists the values of a schema that src/contract cannot know, because it is below the tables that have them. */
function addValues(schemas: JsonObject, name: string, values: readonly string[]): void {
  schemas[name] = { ...(schemas[name] as JsonObject), enum: [...new Set(values)].sort() }
}

const listSections = (routes: readonly Route[]): string[] =>
  routes.flatMap(({ sections }) => (sections ? [...sections.required, ...sections.optional] : []))

function createHealthOperation(collect: CollectSchema): JsonObject {
  const content = { 'application/json': { schema: collect(Health) } }
  return {
    operationId: 'health',
    summary: 'Get the health of this process',
    description: 'Needs no key. `degraded`: it serves requests, but a system or the delivery of webhooks is failing.',
    tags: ['Diagnostics'],
    security: [],
    responses: {
      200: { description: 'ok or degraded', content },
      ...referToResponses([400, 431, 500]),
      503: { description: 'down', content },
    },
  }
}
