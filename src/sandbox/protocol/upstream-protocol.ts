import { accountingOperations } from './accounting-operations.ts'
import { inventoryOperations } from './inventory-operations.ts'
import { ErrorBody, healthOperation, type Operation } from './operation.ts'
import { pricingOperations } from './pricing-operations.ts'
import { vehicleOperations } from './vehicle-operations.ts'

/** The upstream protocol, by system. A merchant implements it to connect a system that has no adapter. */
export const upstreamProtocol = {
  inventory: { readHealth: healthOperation, ...inventoryOperations, ...vehicleOperations },
  pricing: { readHealth: healthOperation, ...pricingOperations },
  accounting: { readHealth: healthOperation, ...accountingOperations },
} as const satisfies Record<string, Record<string, Operation>>

export type SandboxSystem = keyof typeof upstreamProtocol

const headers = [
  ['X-Request-Timeout-Ms', 'integer', 'Milliseconds that the caller still waits; the system may stop its work then.'],
  ['X-Request-Id', 'string', 'The id of the storefront request, for logs.'],
].map(([name, type, description]) => ({ name, in: 'header', required: false, description, schema: { type } }))

const errorDescriptions = {
  400: 'The request does not match this document.',
  401: 'The token is missing or wrong.',
  404: 'error `not_found`: the resource does not exist. error `not_offered`: the system does not have this operation. Forecourt takes any other 404 for an invalid response, such as that of a misrouted proxy.',
  429: 'Too many calls; Retry-After says when to retry.',
  503: 'Temporarily unavailable; Retry-After may say when to retry.',
}

/** The protocol as an OpenAPI 3.1 document. Each system has its own address; paths are below it. */
export function createUpstreamOpenApi(): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const [system, operations] of Object.entries(upstreamProtocol) as [string, Record<string, Operation>][]) {
    for (const [id, operation] of Object.entries(operations)) {
      if (operation.path === '/health' && system !== 'inventory') continue
      const tags = operation.path === '/health' ? Object.keys(upstreamProtocol) : [system]
      paths[operation.path] = {
        ...paths[operation.path],
        [operation.method.toLowerCase()]: toOpenApiOperation(id, operation, tags),
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Forecourt upstream protocol',
      version: '1.0.0',
      description:
        'Three systems, each at its own address: inventory, pricing and accounting. Forecourt ignores members that are not listed.',
    },
    tags: Object.keys(upstreamProtocol).map((name) => ({ name })),
    servers: [{ url: '{address}', variables: { address: { default: 'http://127.0.0.1:8091/demo' } } }],
    security: [{ token: [] }],
    paths,
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } }, schemas: { Problem: ErrorBody } },
  }
}

function toOpenApiOperation(operationId: string, operation: Operation, tags: string[]): object {
  const { summary, body, response, file } = operation
  const parameters = [...parametersOf('path', operation.params), ...parametersOf('query', operation.query), ...headers]
  const errorResponses = Object.entries(errorDescriptions).map(([status, description]) => [
    status,
    { description, content: json({ $ref: '#/components/schemas/Problem' }) },
  ])
  return {
    operationId,
    summary,
    tags,
    parameters,
    ...(body && { requestBody: { required: true, content: json(body) } }),
    responses: {
      200: file ? fileResponse(file, response) : { description: 'OK', content: json(response) },
      ...Object.fromEntries(errorResponses),
    },
  }
}

function parametersOf(location: 'path' | 'query', schema: Operation['query']): object[] {
  if (!schema) return []
  const required: readonly string[] = schema.required ?? []
  return Object.entries(schema.properties).map(([name, member]) => ({
    name,
    in: location,
    required: required.includes(name),
    schema: member,
  }))
}

const fileResponse = (mediaType: NonNullable<Operation['file']>, schema: object) => ({
  description: 'OK',
  ...(mediaType === 'image/*' && {
    headers: { ETag: { required: true, description: 'The content_id, quoted.', schema: { type: 'string' } } },
  }),
  content: { [mediaType]: { schema } },
})

const json = (schema: object) => ({ 'application/json': { schema } })
