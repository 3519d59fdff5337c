import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Router } from '@koa/router'
import { expect } from 'chai'
import Koa from 'koa'
import { Type } from 'typebox'
import { type BodyState, readBody } from '../../../src/http/body/read-body.ts'
import type { InputSchemas } from '../../../src/http/validation/request-input.ts'
import { createRequestValidator } from '../../../src/http/validation/request-validator.ts'

interface Exchange {
  request: { method: string; path: string; content_type?: string; body?: string; base64?: string }
  status: number
  body: string
}

const text = (file: string) => readFileSync(new URL(`../../../fixtures/contract/${file}`, import.meta.url), 'utf8')
const exchanges: Exchange[] = text('validation-422.txt')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

/** The only deliberate difference: FastAPI rejects a `+` that the query string turned into a space. */
const ACCEPTED_HERE = '/v1/products?updated_since=2024-01-01T00:00:00+00:00'

const oneOf = (...values: string[]) => Type.Union(values.map((value) => Type.Literal(value)))
const { Optional } = Type
const positive = Type.Number({ exclusiveMinimum: 0 })
const Year = Type.Integer({ minimum: 1900, maximum: 2100 })
const Address = Type.Object({
  line1: Type.String(),
  country_code: Type.String({ minLength: 2, maxLength: 2, pattern: '^[A-Z]{2}$' }),
})

const routes: Record<string, InputSchemas> = {
  'GET /v1/products': {
    query: Type.Object({
      limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
      offset: Type.Integer({ minimum: 0, default: 0 }),
      vehicle_id: Optional(Type.Integer()),
      updated_since: Optional(Type.String({ format: 'date-time' })),
    }),
  },
  'GET /v1/vehicles/models': { query: Type.Object({ year: Year, make: Type.String({ minLength: 1 }) }) },
  'GET /v1/vehicles/:vehicle_id/products': { params: Type.Object({ vehicle_id: Type.Integer() }) },
  'POST /v1/availability/batch': {
    body: Type.Object({ skus: Type.Array(Type.String(), { minItems: 1, maxItems: 3 }) }),
  },
  'POST /v1/carts/:cart_id/lines': {
    body: Type.Object({
      sku: Type.String({ minLength: 1, maxLength: 5 }),
      quantity: positive,
      order_quantity: Optional(positive),
    }),
  },
  'POST /v1/webhooks': {
    body: Type.Object({
      endpoint_url: Type.String({ format: 'uri' }),
      event_types: Type.Array(oneOf('order.confirmed', 'order.shipped')),
    }),
  },
  'POST /v1/li': { body: Type.Object({ quantity: Type.Integer() }) },
  'GET /h': { headers: Type.Object({ 'x-a': Type.String() }) },
  'POST /login': { body: Type.Object({ email: Type.String(), password: Type.String({ minLength: 8 }) }) },
  'PATCH /u': {
    body: Type.Object({ status: Optional(oneOf('ACTIVE', 'DISABLED')), quantity: Optional(positive) }),
  },
  'POST /co': {
    body: Type.Object({
      cart_id: Type.String(),
      shipping_address: Optional(Address),
      payment_method: Optional(oneOf('CREDIT_TERMS', 'CASH_ON_DELIVERY')),
    }),
  },
  'POST /opt': { body: Address, bodyOptional: true },
}

function goldenApp(): RequestListener {
  const router = new Router<BodyState>()
  for (const [route, schemas] of Object.entries(routes)) {
    const [method = '', path = ''] = route.split(' ')
    const validate = createRequestValidator(schemas)
    router.register(
      path,
      [method],
      [
        readBody({ limit: 65_536 }),
        (ctx) => {
          const result = validate({
            params: ctx.params,
            query: ctx.querystring,
            headers: ctx.headers,
            body: ctx.state.body,
          })
          ctx.status = result.ok ? 200 : 422
          ctx.body = result.ok ? {} : { detail: result.detail }
        },
      ],
    )
  }
  return new Koa().use(router.routes()).callback()
}

describe('422 as FastAPI gives it', () => {
  let server: Server
  let origin: string

  before((done) => {
    server = createServer(goldenApp()).listen(0, '127.0.0.1', () => {
      origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      done()
    })
  })
  after(() => server.close())

  it('is the same to the byte, for all that was recorded', async () => {
    expect(exchanges).to.not.be.empty
    for (const { request, status, body } of exchanges) {
      const { method, path, content_type, base64 } = request
      const what = `${method} ${path} ${request.body ?? base64 ?? ''}`
      const bytes = base64 === undefined ? request.body : Buffer.from(base64, 'base64')
      const headers = { 'content-type': content_type ?? '' }
      const response = await fetch(origin + path, { method, headers, ...(bytes === undefined ? {} : { body: bytes }) })
      const accepted = status === 200 || path === ACCEPTED_HERE
      expect(response.status, what).to.equal(accepted ? 200 : status)
      expect(await response.text(), what).to.equal(accepted ? '{}' : body)
    }
  })
})
