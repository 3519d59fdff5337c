import { expect } from 'chai'
import { eventKinds, PING_EVENT_KIND } from '../../../src/contract/events/event-types.ts'
import { sectionErrorCodes } from '../../../src/contract/section-error-codes.ts'
import { problemTypes } from '../../../src/problem-types.ts'
import { apiRoutes } from '../../../src/routes/api-routes.ts'
import { type Api, startApi } from '../../support/api.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is read as a client without types reads it
type Json = Record<string, any>

/** What SDK generators need of the document. */
describe('GET /openapi.json for generators', () => {
  let api: Api
  let document: Json
  let operations: (Json & { path: string; method: string })[]

  before(async () => {
    api = await startApi()
    document = (await api.request('/openapi.json')).body
    operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
      Object.entries<Json>(methods).map(([method, operation]) => ({ path, method, ...operation })),
    )
  })
  after(() => api[Symbol.asyncDispose]())

  const valuesOf = (name: string) => document.components.schemas[name].enum
  const operationOf = (id: string) => operations.find(({ operationId }) => operationId === id)!
  const parameterOf = (id: string, name: string) =>
    operationOf(id).parameters.find((parameter: Json) => parameter.name === name).schema

  it('names the codes, fields and types after the tables in the code', () => {
    expect(valuesOf('ProblemCode')).to.have.members([...Object.keys(problemTypes), 'bad_request'])
    expect(valuesOf('SectionErrorCode')).to.deep.equal(Object.keys(sectionErrorCodes))
    const sections = apiRoutes.flatMap((route) => [
      ...(route.sections?.required ?? []),
      ...(route.sections?.optional ?? []),
    ])
    expect(valuesOf('SectionField')).to.deep.equal([...new Set(sections)].sort())
    expect(valuesOf('EventType')).to.deep.equal([...eventKinds])
  })

  it('has no object and no list of values without a name', () => {
    const anonymous: string[] = []
    function visit(schema: unknown, path: string, isComponent: boolean): void {
      if (typeof schema !== 'object' || schema === null) return
      const { properties, enum: values } = schema as Json
      if (!isComponent && ((properties && !Array.isArray(properties)) || Array.isArray(values))) anonymous.push(path)
      for (const [key, part] of Object.entries(schema)) visit(part, `${path}/${key}`, false)
    }
    for (const [name, schema] of Object.entries(document.components.schemas)) visit(schema, name, true)
    visit(document.paths, '', false)
    visit(document.webhooks, '', false)
    expect(anonymous).to.deep.equal([])
  })

  it('names no object as one of its members, which Python generators confuse', () => {
    const toMember = (name: string) => name.replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase()
    const confused = Object.entries<Json>(document.components.schemas).filter(([name, { properties = {} }]) =>
      Object.hasOwn(properties, toMember(name)),
    )
    expect(confused.map(([name]) => name)).to.deep.equal([])
  })

  it('types files as binary', () => {
    const files = operations.flatMap(({ operationId, responses }) =>
      Object.entries<Json>(responses[200]?.content ?? {})
        .filter(([type]) => !type.includes('json'))
        .map(([type, { schema }]) => [operationId, type, schema]),
    )
    const schema = { type: 'string', format: 'binary' }
    expect(files).to.have.deep.members([
      ['getInvoiceDocument', 'application/pdf', schema],
      ['picture', 'image/webp', schema],
    ])
  })

  it('types the body of each webhook', () => {
    expect(Object.keys(document.webhooks)).to.deep.equal([...eventKinds, PING_EVENT_KIND])
    const { post } = document.webhooks['order.partially_shipped']
    expect(post.requestBody.content['application/json'].schema).to.deep.equal({
      $ref: '#/components/schemas/OrderPartiallyShippedEvent',
    })
    const { properties } = document.components.schemas.OrderPartiallyShippedEvent
    expect(properties.type).to.deep.equal({ type: 'string', const: 'order.partially_shipped' })
    expect(properties.data).to.deep.equal({ $ref: '#/components/schemas/ShippedOrderEventData' })
    const { anyOf, discriminator } = document.components.schemas.Event
    expect(anyOf).to.have.length(eventKinds.length)
    expect(Object.keys(discriminator.mapping)).to.deep.equal([...eventKinds])
  })

  it('says that an optional body may be null', () => {
    for (const [operationId, name] of [
      ['reorder', 'ReorderIn'],
      ['rotateWebhookSecret', 'RotateSecretIn'],
    ] as const) {
      const { required, content } = operationOf(operationId).requestBody
      const options = [{ $ref: `#/components/schemas/${name}` }, { type: 'null' }]
      expect([required, content['application/json'].schema.anyOf]).to.deep.equal([false, options])
    }
  })

  it('tells a list of products from the changes since a time', () => {
    const { schema } = operationOf('listProducts').responses[200].content['application/json']
    expect(schema).to.deep.equal({
      anyOf: [{ $ref: '#/components/schemas/ProductChanges' }, { $ref: '#/components/schemas/ProductList' }],
    })
    const { ProductChanges, ProductList } = document.components.schemas
    expect(ProductChanges.required).to.include('sync')
    expect(ProductList.properties).to.not.have.property('sync')
  })

  it('tells the `detail` of a 422 from that of a problem', () => {
    const { HTTPValidationError, Problem } = document.components.schemas
    expect(HTTPValidationError.properties.detail).to.deep.include({ type: 'array' })
    expect(Problem.properties.detail).to.deep.equal({ type: 'string' })
    expect(Problem.properties.code).to.deep.equal({ $ref: '#/components/schemas/ProblemCode' })
  })

  it('bounds what a client may send', () => {
    const { MAX_SAFE_INTEGER: most, MIN_SAFE_INTEGER: least } = Number
    expect(parameterOf('listProducts', 'offset')).to.include({ minimum: 0, maximum: most, format: 'int64' })
    expect(parameterOf('listVehicleProducts', 'vehicle_id')).to.include({ minimum: least, maximum: most })
    const { schema } = document.components.parameters.IdempotencyKey
    expect(schema).to.include({ minLength: 1, maxLength: 255 })
    expect('8e03978e-40d5').to.match(new RegExp(schema.pattern))
    expect(['', 'a b', 'é']).to.satisfy((keys: string[]) => keys.every((key) => !new RegExp(schema.pattern).test(key)))
    for (const name of ['CartLineUpdateIn', 'WebhookSubscriptionUpdate'])
      expect(document.components.schemas[name], name).to.include({ minProperties: 1 })
    expect(document.components.schemas.RotateSecretIn).to.not.have.property('required')
  })

  it('says which event types, URLs, times and addresses a client may send', () => {
    const { WebhookSubscriptionCreate, EventPattern, LoginIn } = document.components.schemas
    const { endpoint_url, event_types } = WebhookSubscriptionCreate.properties
    expect(endpoint_url).to.include({ type: 'string', format: 'uri' })
    expect(event_types.items).to.deep.equal({ $ref: '#/components/schemas/EventPattern' })
    expect(EventPattern.enum).to.include.members(['order.shipped', 'order.*', '*'])
    const types = new RegExp(parameterOf('listEvents', 'types').items.pattern)
    for (const text of ['', '*', 'order.*', 'order.*, stock.changed,']) expect(types.test(text), text).to.equal(true)
    for (const text of ['orders', 'order', 'orderxshipped', '*order.*', 'a,*'])
      expect(types.test(text), text).to.equal(false)
    const since = new RegExp(parameterOf('listEvents', 'since').pattern)
    for (const text of ['cur_AAAAAABkH8-cIGKG', 'evt_1', '2026-01-31', '2026-01-31T00:00:00Z'])
      expect(since.test(text), text).to.equal(true)
    for (const text of ['', '2026', 'yesterday']) expect(since.test(text), text).to.equal(false)
    for (const [operation, name] of [
      ['listOrders', 'placed_since'],
      ['listWebhookDeliveries', 'since'],
    ] as const) {
      const { format, not } = parameterOf(operation, name)
      expect([format, new RegExp(not.pattern).test('2026')], operation).to.deep.equal(['date-time', true])
    }
    const { format, pattern } = LoginIn.properties.email
    expect(format, 'formats allow less than the pattern').to.equal(undefined)
    for (const text of ['ann@shop.example', 'é@bücher.example', ' ann@shop.example '])
      expect(new RegExp(pattern, 'u').test(text), text).to.equal(true)
    for (const text of ['ann', 'a b@shop.example', 'a@b@c'])
      expect(new RegExp(pattern, 'u').test(text), text).to.equal(false)
  })

  it('documents every status that any request may get', () => {
    for (const { operationId, responses } of operations)
      expect(Object.keys(responses), operationId).to.include.members(['400', '431', '500'])
    for (const { operationId, responses, requestBody, path } of operations.filter(({ path }) =>
      path.startsWith('/v1/'),
    )) {
      const statuses = ['401', '403', '422', '429', '503']
      if (path.includes('{')) statuses.push('404')
      if (requestBody) statuses.push('408', '413', '415')
      expect(Object.keys(responses), operationId).to.include.members(statuses)
    }
  })

  it('documents the header Forecourt-Hint where a request may get it, and Retry-After where a request may be repeated', () => {
    const resolve = (response: Json): Json =>
      response.$ref ? document.components.responses[response.$ref.split('/').at(-1)] : response
    const lacking: string[] = []
    for (const { operationId, path, responses } of operations.filter(({ path }) => path.startsWith('/v1/')))
      for (const [status, response] of Object.entries<Json>(responses)) {
        const { headers = {}, description } = resolve(response)
        const hasHint = /^(?:20.|404|409|422)$/.test(status)
        const isRepeatable = /idempotency_in_flight|cart_converted/.test(description)
        if (hasHint && !headers['Forecourt-Hint']) lacking.push(`${operationId} ${path} ${status} Forecourt-Hint`)
        if (isRepeatable && !headers['Retry-After']) lacking.push(`${operationId} ${path} ${status} Retry-After`)
      }
    expect(lacking).to.deep.equal([])
  })

  it('declares and describes the tag of each operation, and gives each its own id', () => {
    const described = document.tags
      .filter(({ description }: Json) => description.length > 10)
      .map(({ name }: Json) => name)
    const ids = operations.map(({ operationId }) => operationId)
    for (const { operationId, tags } of operations) expect(described, operationId).to.include.members(tags)
    expect(new Set(ids).size).to.equal(ids.length)
  })

  it('has the ids of operations that clients use', () => {
    const ids = operations.map(({ operationId }) => operationId)
    expect(ids).to.include.members([
      ...['ping', 'listProducts', 'getProduct', 'suggest', 'lookUpNumber', 'getCategories', 'getTags'],
      ...['getAvailability', 'getAvailabilityBatch', 'listVehicleYears', 'listVehicleMakes', 'listVehicleModels'],
      ...['listVehicleProducts', 'listProductFitments', 'registerShopper', 'logInShopper', 'refreshShopper'],
      ...['logOutShopper', 'askForPasswordReset', 'confirmPasswordReset', 'verifyShopper', 'getMe', 'getCreditStatus'],
      ...['createCart', 'getCart', 'addCartLine', 'updateCartLine', 'deleteCartLine', 'priceCart', 'addCartPromotion'],
      ...['deleteCartPromotion', 'checkout', 'getPaymentStatus', 'listOrders', 'getOrder', 'cancelOrder'],
      ...[
        'listInvoices',
        'getInvoice',
        'listWebhooks',
        'createWebhook',
        'getWebhook',
        'updateWebhook',
        'deleteWebhook',
      ],
      ...['disableWebhook', 'enableWebhook', 'rotateWebhookSecret', 'pingWebhook', 'listWebhookDeliveries'],
      ...[
        'getWebhookDelivery',
        'redeliverWebhook',
        'recoverWebhook',
        'listEvents',
        'health',
        'hintOfChanges',
        'picture',
      ],
    ])
  })

  it('requires the shopper token where the API does', () => {
    const [withKey, withShopper] = [{ apiKey: [] }, { apiKey: [], shopperToken: [] }]
    expect(operationOf('getMe').security).to.deep.equal([withShopper])
    expect(operationOf('getProduct').security).to.deep.equal([withKey, withShopper])
    expect(operationOf('listWebhooks').security).to.deep.equal([withKey])
    expect(document.components.securitySchemes.shopperToken).to.include({
      in: 'header',
      name: 'X-Storefront-Shopper-Token',
    })
  })

  it('can be read by a page of any origin', async () => {
    const { headers } = await api.request('/openapi.json', { headers: { origin: 'https://editor.example' } })
    expect(headers).to.include({ 'access-control-allow-origin': 'https://editor.example' })
    expect(headers.vary).to.match(/Origin/)
    expect(headers.etag).to.match(/^"/)
  })
})

describe('GET /openapi.json', () => {
  let api: Api

  before(async () => {
    api = await startApi()
  })
  after(() => api[Symbol.asyncDispose]())

  it('describes every path of the issue', async () => {
    const { paths, openapi, info } = (await api.request('/openapi.json')).body
    expect([openapi, info.version]).to.deep.equal(['3.1.0', '1.0.0'])
    expect(Object.keys(paths)).to.have.members([
      ...['/health', '/v1/ping', '/v1/products', '/v1/products/{sku}', '/v1/categories', '/v1/tags'],
      ...['/v1/lookup', '/v1/suggest'],
      ...['/v1/products/{sku}/availability', '/v1/availability/batch', '/v1/vehicles/years', '/v1/vehicles/makes'],
      ...['/v1/vehicles/models', '/v1/vehicles/{vehicle_id}/products', '/v1/products/{sku}/fitments'],
      ...['/v1/shoppers', '/v1/shoppers/login', '/v1/shoppers/refresh', '/v1/shoppers/logout', '/v1/shoppers/verify'],
      ...['/v1/shoppers/password-reset', '/v1/shoppers/password-reset/confirm', '/v1/me', '/v1/me/credit-status'],
      ...[
        '/v1/carts',
        '/v1/carts/current',
        '/v1/carts/{cart_id}',
        '/v1/carts/{cart_id}/lines',
        '/v1/carts/{cart_id}/lines/{line_id}',
      ],
      '/v1/carts/{cart_id}/delivery-options',
      ...['/v1/carts/{cart_id}/price', '/v1/carts/{cart_id}/promotions', '/v1/carts/{cart_id}/promotions/{code}'],
      ...['/v1/checkout', '/v1/checkout/{order_id}/payment-status', '/v1/orders', '/v1/orders/{order_id}'],
      ...[
        '/v1/orders/{order_id}/cancel',
        '/v1/orders/{order_id}/reorder',
        '/v1/invoices',
        '/v1/invoices/{invoice_id}',
        '/v1/invoices/{invoice_id}/document',
        '/v1/me/back-in-stock',
        '/v1/products/{sku}/back-in-stock',
      ],
      ...['', '/disable', '/enable', '/rotate-secret', '/ping', '/deliveries', '/recover'].map(
        (call) => `/v1/webhooks/{subscription_id}${call}`,
      ),
      ...['', '/redeliver'].map((call) => `/v1/webhooks/{subscription_id}/deliveries/{delivery_id}${call}`),
      ...['/v1/webhooks', '/v1/events', '/hooks/{merchant}/{system}'],
      '/media/{merchant}/{mode}/{source}/{version}/{size}.webp',
    ])
  })

  it('contains the sections of a read, and the bounds of its query', async () => {
    const { paths } = (await api.request('/openapi.json')).body
    const list = paths['/v1/products'].get
    expect(list['x-sections']).to.deep.equal({
      required: ['data'],
      optional: ['facets', 'fitment', 'price', 'tax', 'availability', 'media'],
    })
    const limit = list.parameters.find(({ name }: { name: string }) => name === 'limit')
    expect(limit.schema).to.deep.include({ type: 'integer', minimum: 1, maximum: 200, default: 50 })
    expect(Object.keys(list.responses)).to.include.members(['200', '304', '401', '403', '422', '429', '504'])
  })

  it('contains no broken reference', async () => {
    const { body, text } = await api.request('/openapi.json')
    const named = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name!)
    expect(named.length).to.be.greaterThan(20)
    for (const name of named) expect(body.components.schemas, name).to.have.property(name)
  })
})
