import { expect } from 'chai'
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import type { Route } from '../../src/http/route.ts'
import { apiRoutes } from '../../src/routes/api-routes.ts'
import { type Api, startApi } from '../support/api.ts'
import { codePoint } from '../support/code-point.ts'

const RUNS = 60

type Json = Record<string, unknown>

const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: codePoint, maxLength: 300 }).map((text) => text.toWellFormed()),
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -0,
    -1,
    1e308,
    0.1 + 0.2,
    1e-7,
    999_999.9999,
    2 ** 53,
    '',
    ' ',
    '\u0000',
    '💥',
    {},
    [],
  ),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'x'.repeat(20_000),
    "'; drop table carts; --",
    '%00',
    '../../etc',
    'NaN',
    '1e9',
  ),
)

/** Input that matches a schema, and sometimes something else. */
function near(schema: TSchema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 4, arbitrary: validValue(schema as Json) }, { weight: 1, arbitrary: junk })
}

function validValue(schema: Json): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]))
  if (Array.isArray(schema.anyOf)) return fc.oneof(...(schema.anyOf as TSchema[]).map(near))
  if (schema.type === 'object') return record(schema)
  if (schema.type === 'array') return fc.array(near(schema.items as TSchema), { maxLength: 5 })
  if (schema.type === 'integer') return fc.integer({ min: -5, max: 1_000_000 })
  if (schema.type === 'number') return fc.oneof(fc.integer({ min: 0, max: 100 }), fc.double({ noNaN: true }))
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'string') return text(schema)
  return junk
}

function record(schema: Json): fc.Arbitrary<unknown> {
  const members = Object.entries((schema.properties ?? {}) as Record<string, TSchema>)
  const known = Object.fromEntries(members.map(([name, member]) => [name, near(member)]))
  return fc.record(
    { ...known, tenant_id: fc.constant('zenith'), customer_id: fc.constant('C-1002') },
    { requiredKeys: [] },
  )
}

const text = ({ maxLength = 40, format }: { maxLength?: number; format?: string }) =>
  fc.oneof(
    fc.string({ unit: codePoint, maxLength: maxLength + 2 }).map((some) => some.toWellFormed()),
    fc.constantFrom(
      'BP-1001',
      'OL-1001',
      'box of 12',
      'GCT',
      'shopper@shop.example',
      'a@b\r\nBcc: c@d.example',
      '1180.00',
      'https://shop.example/hooks',
      'order.*',
    ),
    ...(format === 'date' ? [fc.constantFrom('2026-12-24', '2026-02-30', '0000-00-00')] : []),
  )

describe('random request bodies', function () {
  this.timeout(300_000)

  let api: Api
  let key: string
  let token: string
  let cartId: string
  let lineId: string
  let subscriptionId: string

  before(async () => {
    api = await startApi()
    key = await api.key({ kind: 'secret' })
    token = await api.shopperToken()
    cartId = (await ask('/v1/carts', undefined)).body.cart_id
    lineId = (await ask(`/v1/carts/${cartId}/lines`, { sku: 'BP-1001', quantity: 1 })).body.lines[0].line_id
    const subscription = { endpoint_url: 'http://localhost:9/', event_types: ['*'] }
    subscriptionId = (await ask('/v1/webhooks', subscription)).body.subscription_id
  })
  after(() => api[Symbol.asyncDispose]())

  const ask = (path: string, body: unknown, method = 'POST') =>
    api.request(path, { key, method, body, headers: { 'x-storefront-shopper-token': token } })

  const pathOf = (route: Route) =>
    route.path
      .replace(':cart_id', cartId)
      .replace(':line_id', lineId)
      .replace(':subscription_id', subscriptionId)
      .replace(/:\w+/, 'ord_nobody')

  for (const route of apiRoutes.filter(({ input }) => input.body)) {
    it(`get a 422, a documented problem or success: ${route.method} ${route.path}`, async () => {
      const property = fc.asyncProperty(near(route.input.body!), async (sent) => {
        const { status, body } = await ask(pathOf(route), JSON.stringify(sent), route.method)
        expect(status, JSON.stringify(sent).slice(0, 500)).to.be.below(500)
        if (status === 422) expect(body.detail).to.be.an('array').that.is.not.empty
      })
      await fc.assert(property, { numRuns: RUNS })
    })
  }

  it('leave the API healthy', async () => {
    expect((await api.request('/v1/products/BP-1001', { key })).status).to.equal(200)
    expect((await api.request('/health')).body.status).to.equal('ok')
  })
})
