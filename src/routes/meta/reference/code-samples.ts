import type { JsonObject } from '../../../http/openapi/json-object.ts'
import { toTypeScriptLiteral } from './typescript-literal.ts'

/** A call as code, in the form that OpenAPI renderers agree on (`x-codeSamples`). */
export interface CodeSample {
  lang: string
  label: string
  source: string
}

export interface SampledOperation {
  operationId: string
  /** Empty: the client has no method for it. */
  security: readonly JsonObject[]
  allowsPublishableKey: boolean
  parameters?: readonly { name?: string; in?: string; example?: unknown; required?: boolean; $ref?: string }[]
  requestBody?: { content: { 'application/json': { example?: unknown } } }
}

/** Returns the call of an operation's example with curl, and with `@forecourt/client` if it has a method for it. */
export function createCodeSamples(method: string, path: string, operation: SampledOperation): CodeSample[] {
  const curl = { lang: 'Shell', label: 'curl', source: toCurl(method, path, operation) }
  if (operation.security.length === 0) return [curl]
  return [curl, { lang: 'TypeScript', label: 'TypeScript', source: toTypeScript(operation) }]
}

const needsShopper = ({ security }: SampledOperation) =>
  security.length > 0 && security.every((one) => 'shopperToken' in one)
const bodyOf = ({ requestBody }: SampledOperation) => requestBody?.content['application/json'].example

function toCurl(method: string, path: string, operation: SampledOperation): string {
  const key = operation.allowsPublishableKey ? '$PUB' : '$SEC'
  const body = bodyOf(operation)
  const isIdempotent = operation.parameters?.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'))
  const isUsualMethod = method === 'GET' || (method === 'POST' && body !== undefined)
  const parts = [
    `curl -s ${isUsualMethod ? '' : `-X ${method} `}"$API${toUrl(path, operation)}"`,
    ...(operation.security.length > 0 ? [`-H "Authorization: Bearer ${key}"`] : []),
    ...(needsShopper(operation) ? ['-H "X-Storefront-Shopper-Token: $TOKEN"'] : []),
    ...(isIdempotent ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${toShellText(JSON.stringify(body))}'`]),
  ]
  return parts.join(' \\\n  ')
}

const toShellText = (text: string): string => text.replaceAll("'", "'\\''")

function toUrl(path: string, { parameters = [] }: SampledOperation): string {
  const valued = parameters.filter(({ example }) => example !== undefined)
  const inPath = valued.filter((parameter) => parameter.in === 'path')
  const filled = inPath.reduce(
    (url, { name, example }) => url.replace(`{${name}}`, encodeURIComponent(String(example))),
    path,
  )
  const query = new URLSearchParams(
    valued
      .filter((parameter) => parameter.in === 'query')
      .flatMap(({ name, example }) => [example].flat().map((value): [string, string] => [name!, String(value)])),
  )
  return query.size > 0 ? `${filled}?${query}` : filled
}

function toTypeScript(operation: SampledOperation): string {
  const { operationId, parameters = [], allowsPublishableKey } = operation
  const body = bodyOf(operation)
  const valued = parameters.filter(({ name, example }) => name !== undefined && example !== undefined)
  const input = {
    ...Object.fromEntries(valued.map(({ name, example }) => [name, example])),
    ...(body !== undefined && { body }),
  }
  const entry = allowsPublishableKey && !needsShopper(operation) ? 'browser' : 'server'
  const argument = Object.keys(input).length > 0 ? toTypeScriptLiteral(input) : ''
  const [setUp, caller] = needsShopper(operation)
    ? ['const shopper = forecourt.forShopper(session) // of logInShopper\n', 'shopper']
    : ['', 'forecourt']
  return [
    `import { createForecourt } from '@forecourt/client/${entry}'`,
    '',
    'const forecourt = createForecourt({ url, key })',
    `${setUp}const result = await ${caller}.${operationId}(${argument})`,
  ].join('\n')
}
