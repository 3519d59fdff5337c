import { accountingOperations } from './accounting-operations.ts'
import { inventoryOperations } from './inventory-operations.ts'
import { pricingOperations } from './pricing-operations.ts'
import { ErrorBody, healthOperation, type Operation } from './schema-types.ts'

/** The documented upstream protocol, by system: what a merchant implements to plug in a system that has no adapter. */
export const upstreamProtocol = {
  inventory: { readHealth: healthOperation, ...inventoryOperations },
  pricing: { readHealth: healthOperation, ...pricingOperations },
  accounting: { readHealth: healthOperation, ...accountingOperations },
} as const satisfies Record<string, Record<string, Operation>>

const headers = [
  ['X-Request-Timeout-Ms', 'integer', 'Milliseconds that the caller will still wait; a good system gives up then.'],
  ['X-Request-Id', 'string', 'Names the storefront request; good to have in a log.'],
].map(([name, type, description]) => ({ name, in: 'header', required: false, description, schema: { type } }))

const refusals = {
  400: 'The request does not fit this document.',
  401: 'The token is missing or wrong.',
  404: 'There is no such thing.',
  429: 'Too many calls; Retry-After says when to come back.',
  503: 'Not now; Retry-After may say when.',
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
        [operation.method.toLowerCase()]: described(id, operation, tags),
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Forecourt upstream protocol',
      version: '1.0.0',
      description:
        'Three systems, each at its own address: inventory, pricing and accounting. Members that are not listed are ignored.',
    },
    tags: Object.keys(upstreamProtocol).map((name) => ({ name })),
    servers: [{ url: '{address}', variables: { address: { default: 'http://127.0.0.1:8091/demo' } } }],
    security: [{ token: [] }],
    paths,
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } }, schemas: { Problem: ErrorBody } },
  }
}

function described(operationId: string, operation: Operation, tags: string[]): object {
  const { summary, body, answer, file } = operation
  const parameters = [...parametersOf('path', operation.params), ...parametersOf('query', operation.query), ...headers]
  const failures = Object.entries(refusals).map(([status, description]) => [
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
      200: file ? fileAnswer(answer) : { description: 'OK', content: json(answer) },
      ...Object.fromEntries(failures),
    },
  }
}

function parametersOf(place: 'path' | 'query', schema: Operation['query']): object[] {
  if (!schema) return []
  const required: readonly string[] = schema.required ?? []
  return Object.entries(schema.properties).map(([name, member]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: member,
  }))
}

const fileAnswer = (schema: object) => ({
  description: 'OK',
  headers: { ETag: { required: true, description: 'Names the content, quoted.', schema: { type: 'string' } } },
  content: { 'image/*': { schema } },
})

const json = (schema: object) => ({ 'application/json': { schema } })
