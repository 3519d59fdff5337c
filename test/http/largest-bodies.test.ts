import { expect } from 'chai'
import type { Route } from '../../src/http/route.ts'
import { createRequestValidator } from '../../src/http/validation/request-validator.ts'
import { apiRoutes } from '../../src/routes/api-routes.ts'
import { type Api, startApi } from '../support/api.ts'

interface JsonSchema {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  maxItems?: number
  maxLength?: number
  pattern?: string
  format?: string
  maximum?: number
}

/** The longest id of a back office. */
const DEFAULT_LENGTH = 128
const EMOJI = '😀'
const FORMATS: Record<string, string> = { date: '2030-12-31', 'date-time': '2030-12-31T23:59:59.999999+00:00' }

/** Returns the value of a schema whose JSON is the largest. */
function largestOf(schema: JsonSchema): unknown {
  const values = schema.enum ?? schema.anyOf?.flatMap((option) => (option.const === undefined ? [] : [option.const]))
  if (values?.length) return values.toSorted((a, b) => String(b).length - String(a).length)[0]
  if (schema.anyOf) {
    const kinds = schema.anyOf.filter(({ type }) => type !== 'null').map(largestOf)
    return kinds.toSorted((a, b) => JSON.stringify(b).length - JSON.stringify(a).length)[0]
  }
  if (schema.type === 'array') return Array.from({ length: schema.maxItems! }, () => largestOf(schema.items!))
  if (schema.type === 'object')
    return Object.fromEntries(Object.entries(schema.properties!).map(([name, member]) => [name, largestOf(member)]))
  return schema.type === 'string' ? largestText(schema) : schema.maximum
}

function largestText({ maxLength = DEFAULT_LENGTH, pattern, format }: JsonSchema): string {
  const examples = [
    FORMATS[format ?? ''] ?? EMOJI.repeat(maxLength),
    `${EMOJI.repeat(maxLength - 2)}@${EMOJI}`,
    'JM',
    '999999999999999.999999',
  ]
  return examples.find((text) => !pattern || new RegExp(pattern, 'u').test(text))!
}

/** Writes JSON with each character of each text as an escape, and indented. */
const toEscapedJson = (value: unknown) =>
  JSON.stringify(value, null, 2).replace(/"(?:\\.|[^"])*"/g, (text) => {
    const units = Array.from({ length: text.length - 2 }, (_, at) => text.charCodeAt(at + 1))
    return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`
  })

describe('the largest body that a schema allows', () => {
  let api: Api
  let key: string
  let token: string

  before(async () => {
    api = await startApi()
    key = await api.key({ kind: 'secret' })
    token = await api.shopperToken()
  })
  after(() => api[Symbol.asyncDispose]())

  for (const route of apiRoutes.filter(({ input }) => input.body))
    it(`fits: ${route.method} ${route.path}`, async () => {
      const value = largestOf(route.input.body as JsonSchema)
      const text = toEscapedJson(value)
      expect(createRequestValidator({ body: route.input.body! })({ body: { kind: 'json', text } })).to.include({
        ok: true,
      })
      const reply = await send(route, text)
      expect(reply.status).to.not.equal(413)
      const larger = await send(route, ' '.repeat(2 * text.length + 4_096))
      expect(larger.status).to.equal(413)
    })

  const send = (route: Route, body: string) =>
    api.request(route.path.replace(/:\w+/g, 'none'), {
      key,
      method: route.method,
      headers: { 'X-Storefront-Shopper-Token': token, 'X-Storefront-Client-IP': '203.0.113.7' },
      body,
    })
})
