import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from './json-object.ts'

/** A call of the sandbox and its responses: `test/support/openapi-examples/record-examples.ts` records them. */
export interface OperationExample {
  params?: Readonly<Record<string, unknown>>
  query?: Readonly<Record<string, unknown>>
  request?: unknown
  /** By status. */
  responses?: Readonly<Record<string, unknown>>
}

const folder = join(import.meta.dirname, 'examples')

function readJson(name: string): unknown {
  const file = join(folder, `${name}.json`)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/** Returns the example of an event of this type. */
export const readEventExample = (type: string): unknown => readJson(`events/${type}`)

/** The operation whose response has another form too, recorded by a call of its own. */
const WITH_CHANGES = 'listProducts'

/** Returns the operation with its example: of each parameter that it sends, of the body, and of each response. */
export function withExample(operation: JsonObject): JsonObject {
  const operationId = String(operation.operationId)
  const { params, query, request, responses = {} } = (readJson(operationId) ?? {}) as OperationExample
  const changes =
    operationId === WITH_CHANGES ? (readJson(`${operationId}.changes`) as OperationExample | undefined) : undefined
  const sent = { ...params, ...query }
  const parameters = operation.parameters as { name?: string }[] | undefined
  const requestBody = operation.requestBody as JsonObject | undefined
  return {
    ...operation,
    ...(parameters && {
      parameters: parameters.map((parameter) =>
        parameter.name !== undefined && parameter.name in sent
          ? { ...parameter, example: sent[parameter.name] }
          : parameter,
      ),
    }),
    ...(requestBody && { requestBody: withContentExample(requestBody, request) }),
    responses: Object.fromEntries(
      Object.entries(operation.responses as Record<string, JsonObject>).map(([status, response]) => [
        status,
        withContentExample(response, responses[status], changes?.responses?.[status]),
      ]),
    ),
  }
}

function withContentExample(part: JsonObject, example: unknown, changes?: unknown): JsonObject {
  const { content } = part as { content?: Record<string, JsonObject> }
  const json = content?.['application/json']
  if (example === undefined || !json) return part
  const examples =
    changes === undefined ? { example } : { examples: { list: { value: example }, changes: { value: changes } } }
  return { ...part, content: { ...content, 'application/json': { ...json, ...examples } } }
}
