import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import type { SandboxSystem } from '../../src/sandbox/protocol/upstream-protocol.ts'
import { createUpstreamOpenApi } from '../../src/sandbox/protocol/upstream-protocol.ts'
import type { RunningSystem } from '../../src/sandbox/start-system.ts'
import { createOrderDraft } from '../adapters/conformance/order-draft.ts'
import { type SystemRequest, sendRequest } from './send-request.ts'
import { createTempFolder } from './temp-folder.ts'
import { startTestSystem } from './test-system.ts'

interface Described {
  operationId: string
  responses: Record<string, { content: { 'application/json': { schema: object } } }>
}

const document = createUpstreamOpenApi() as {
  openapi: string
  paths: Record<string, Record<string, Described>>
  components: { schemas: { Problem: object } }
}
const skus = { skus: ['BP-1001', 'BP-1008', 'OL-1001', 'nope'] }

const draft = createOrderDraft({
  reference: 'ord_described',
  customerId: 'C-1008',
  goods: { sku: 'OL-1001', uom: 'litre', unitPrice: '1180.00' },
})
const overLimit = { ...draft, reference: 'ord_refused', customer_id: 'C-1006' }
const byReference = '?customer_id=C-1008&by=reference'
const cart = { customer_id: 'C-1001', lines: [{ line_id: 'a', sku: 'BP-1001', quantity: '2' }] }

const deliveryRequest = {
  customer_id: 'C-1001',
  lines: [{ sku: 'BP-1001', quantity: '1' }],
  goods_total: '6262.26',
  tax_included: false,
  shipping_address: null,
}

const examples: [SandboxSystem, path: string, called: string, asked?: SystemRequest][] = [
  ['inventory', '/health', '/health'],
  ['inventory', '/products', '/products?limit=200'],
  ['inventory', '/products', '/products?updated_since=2026-01-01T00:00:00Z&limit=200&include=product'],
  ['inventory', '/products/lookup', '/products/lookup', { body: { ...skus, include: ['product', 'stock'] } }],
  [
    ...(['inventory', '/products/search', '/products/search'] as const),
    { body: { ...skus, limit: 5, offset: 0, include: ['product', 'stock'] } },
  ],
  ['inventory', '/categories', '/categories'],
  ['inventory', '/tags', '/tags'],
  ['inventory', '/vehicle-facets', '/vehicle-facets?facet=year'],
  ['inventory', '/vehicle-facets', '/vehicle-facets?facet=model&year=2015&make=toyota'],
  ['inventory', '/vehicles/{vehicle_id}/products', '/vehicles/1431/products?limit=200'],
  ['inventory', '/products/{sku}/fitments', '/products/BP-1001/fitments'],
  ['pricing', '/prices', '/prices', { body: { ...skus, customer_id: null } }],
  ['pricing', '/prices', '/prices', { body: { ...skus, customer_id: 'C-1003' } }],
  ['pricing', '/quotes', '/quotes', { body: { ...cart, codes: ['welcome10', 'BRAKES1500', 'nope'] } }],
  ['accounting', '/taxes', '/taxes', { body: { ...skus, customer_id: null } }],
  ['accounting', '/customers/{customer_id}', '/customers/C-1001'],
  ['accounting', '/customers/{customer_id}/credit', '/customers/C-1001/credit'],
  ['accounting', '/customers/{customer_id}/credit', '/customers/C-1010/credit'],
  ['accounting', '/customers/lookup', '/customers/lookup', { body: { email: 'Account9@shopper.example' } }],
  [
    ...(['accounting', '/customers', '/customers'] as const),
    {
      body: { reference: 'r1', email: 'ana@b.example', first_name: 'Ana', last_name: 'B', company: null, phone: null },
    },
  ],
  ['accounting', '/delivery-options', '/delivery-options', { body: deliveryRequest }],
  ['accounting', '/orders', '/orders', { body: draft }],
  ['accounting', '/orders', '/orders', { body: overLimit }],
  ['accounting', '/orders', '/orders?customer_id=C-1001&limit=100'],
  ['accounting', '/orders/{key}', `/orders/ord_described${byReference}`],
  ['accounting', '/orders/{key}/payment', '/orders/SO-100121/payment?customer_id=C-1001'],
  [
    ...(['accounting', '/orders/{key}/cancel', `/orders/ord_described/cancel${byReference}`] as const),
    { body: { reason: 'OTHER', note: null } },
  ],
  [
    ...(['accounting', '/orders/{key}/cancel', '/orders/SO-100104/cancel?customer_id=C-1001'] as const),
    { body: { reason: 'OTHER', note: null } },
  ],
  ['accounting', '/invoices', '/invoices?customer_id=C-1001&today=2026-03-02'],
  ['inventory', '/changes/stock', '/changes/stock?since=2026-01-01T00:00:00Z&limit=200'],
  ['pricing', '/changes/prices', '/changes/prices?since=2020-01-01T00:00:00.000Z&limit=200'],
  ['accounting', '/changes/orders', '/changes/orders?since=2020-01-01T00:00:00-05:00&limit=200'],
  ['accounting', '/changes/invoices', '/changes/invoices?since=2020-01-01T00:00:00Z&limit=200'],
  ['accounting', '/invoices/{invoice_id}', '/invoices/IN-100107?customer_id=C-1001'],
]

/** These respond with a file. */
const PICTURE = '/media/{media_id}/content'
const DOCUMENT = '/invoices/{invoice_id}/document'

describe('the upstream protocol document', () => {
  const systems = {} as Record<SandboxSystem, RunningSystem>
  const ajv = new Ajv2020({ strict: false, formats: { uri: true, date: true, 'date-time': true } })
  let folder: Awaited<ReturnType<typeof createTempFolder>>

  before(async () => {
    folder = await createTempFolder()
    for (const system of ['inventory', 'pricing', 'accounting'] as const) {
      systems[system] = await startTestSystem({ system, directory: folder.directory })
    }
  })

  after(async () => {
    await Promise.all(Object.values(systems).map((system) => system.stop()))
    await folder.remove()
  })

  for (const [system, path, called, asked] of examples) {
    const method = asked?.body === undefined ? 'get' : 'post'
    it(`describes the response of ${method.toUpperCase()} ${called}`, async () => {
      const { status, body } = await sendRequest(systems[system], called, asked)
      const { schema } = document.paths[path]![method]!.responses[200]!.content['application/json']
      expect(status).to.equal(200)
      expect(ajv.validate(schema, body), ajv.errorsText()).to.equal(true)
    })
  }

  it('describes original pictures, and files', async () => {
    const asked = { skus: ['BT-1003'], include: ['product'] }
    const { body } = await sendRequest(systems.inventory, '/products/lookup', { body: asked })
    const { schema } = document.paths['/products/lookup']!.post!.responses[200]!.content['application/json']
    expect(ajv.validate(schema, body), ajv.errorsText()).to.equal(true)
    expect(body.data[0].product.media[0]).to.include.keys('content_id').and.not.include.keys('thumb_url', 'large_url')
    const typesOf = (path: string) => Object.keys(document.paths[path]!.get!.responses[200]!.content)
    expect([typesOf(PICTURE), typesOf(DOCUMENT)]).to.deep.equal([['image/*'], ['application/pdf']])
  })

  it('describes error responses', async () => {
    const { body } = await sendRequest(systems.inventory, '/products?limit=0')
    expect(ajv.validate(document.components.schemas.Problem, body), ajv.errorsText()).to.equal(true)
  })

  it('contains every operation', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    )
    const tried = examples.map(([, path, , asked]) => `${asked?.body === undefined ? 'get' : 'post'} ${path}`)
    expect(document.openapi).to.equal('3.1.0')
    expect(described.sort()).to.deep.equal([...new Set([...tried, `get ${PICTURE}`, `get ${DOCUMENT}`])].sort())
  })
})
