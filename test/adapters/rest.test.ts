import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { rest } from '../../adapters/rest/adapter.ts'
import { showcase } from '../../fixtures/showcase.ts'
import type { RunningSystem } from '../../src/sandbox/system.ts'
import { createClient } from '../../src/upstream/client.ts'
import { scratch, start } from '../sandbox/running.ts'
import { conformance } from './conformance.ts'
import { BOTH, call, type Facts, failureOf, type Ports } from './subject.ts'

const merchant = { merchant: 'demo', currency: 'JMD', timeZone: 'America/Jamaica', now: () => new Date() }
const clients: AsyncDisposable[] = []

function connect(address: string) {
  const client = createClient({ address, maxSockets: 10, maxResponseBytes: 8_000_000 })
  clients.push(client)
  return [{ token: 'sandbox' }, client, merchant] as const
}

/** The adapter with all three ports on one address, or on one for each. */
function ports(inventory: string, pricing = inventory, accounting = inventory): Required<Ports> {
  return {
    inventory: rest.inventory!(...connect(inventory)),
    pricing: rest.pricing!(...connect(pricing)),
    accounting: rest.accounting!(...connect(accounting)),
  }
}

const facts: Facts = {
  skus: ['OL-1001', 'BP-1001', 'BP-1004'],
  unknownSku: 'no/such sku',
  deactivatedSku: showcase.deactivated,
  awkwardSkus: [...showcase.awkward],
  search: { q: 'brake pad', sku: 'BP-1001' },
  category: { category_id: '101010', slug: 'brake-pads', sku: 'BP-1001' },
  tag: { tag: 'bulk', sku: 'OL-1001' },
  vehicle: { vehicle_id: 1431, sku: 'BP-1001' },
  unknownVehicleId: 7,
  expectedSku: showcase.leadTime,
  unpricedSku: showcase.unpriced,
  contract: { customerId: 'C-1003', sku: 'OL-1001' },
  unknownCustomerId: 'C-1',
  tax: { sku: 'BP-1001', rate: '0.15', exemptCustomerId: 'C-1005' },
}

conformance('rest', async () => {
  const folder = await scratch()
  const { directory } = folder
  const systems: RunningSystem[] = []
  for (const system of ['inventory', 'pricing', 'accounting'] as const) systems.push(await start({ system, directory }))
  const silent = await start({ system: 'inventory', directory: `${directory}/silent` })
  const gone = await start({ system: 'pricing', directory: `${directory}/gone` })
  await silent.setFault({ hang: true })
  await gone.setFault({ refuse: true })
  const [inventory = '', pricing = '', accounting = ''] = systems.map(({ address }) => `${address}/demo`)
  return {
    ...ports(inventory, pricing, accounting),
    facts,
    silent: ports(`${silent.address}/demo`),
    unreachable: ports(`${gone.address}/demo`),
    async close() {
      await Promise.all([...systems, silent, gone].map((system) => system.stop()))
      await Promise.all(clients.splice(0).map((client) => client[Symbol.asyncDispose]()))
      await folder.remove()
    },
  }
})

describe('rest: what a system may do', () => {
  let answer: { status: number; body: unknown }
  let sent: { url: string | undefined; token: string | undefined; waits: string | undefined }
  const server = createServer((request, response) => {
    const { authorization: token, 'x-request-timeout-ms': waits } = request.headers
    sent = { url: request.url, token, waits: waits as string }
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
  })
  let one: Required<Ports>

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    one = ports(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`)
  })

  after(async () => {
    await Promise.all(clients.splice(0).map((client) => client[Symbol.asyncDispose]()))
    server.close()
  })

  const bare = { name: 'Pads', uom: 'each', active: true, updated_at: '2026-03-01T10:00:00-05:00' }

  it('may leave out what a small back office does not keep', async () => {
    answer = { status: 200, body: { data: [{ sku: 'A 1', product: bare }] } }
    expect(await one.inventory.items(['A 1'], BOTH, call())).to.deep.equal([
      {
        sku: 'A 1',
        product: {
          ...{
            sku: 'A 1',
            name: 'Pads',
            slug: 'A 1',
            description: null,
            brand: null,
            mpn: null,
            barcode: null,
            media: null,
          },
          ...{
            categories: [],
            tags: [],
            uom: 'each',
            order_uoms: [],
            active: true,
            updated_at: '2026-03-01T15:00:00.000Z',
          },
        },
        stock: null,
      },
    ])
    expect(sent).to.deep.equal({ url: '/api/products/lookup', token: 'Bearer sandbox', waits: '5000' })
  })

  it('may say more than was asked, and none of it gets through', async () => {
    const media = [
      { media_id: 'm', thumb_url: 'javascript:alert(1)', large_url: 'https://a.example/l.webp' },
      { media_id: 'n', thumb_url: 'https://a.example/t.webp', large_url: 'https://a.example/l.webp', secret: 1 },
    ]
    const product = {
      ...bare,
      cost: '3.00',
      media,
      categories: [{ category_id: 'c', name: 'C', slug: 'c', margin: 9 }],
    }
    const stock = { available: 3, expected: [{ date: '2026-03-09', quantity: 2, supplier: 'x' }], on_hand: 5 }
    answer = {
      status: 200,
      body: {
        data: [
          { sku: 'A', product, stock, shelf: 9 },
          { sku: 'B', stock },
          { sku: 'A', stock },
        ],
      },
    }
    const items = await one.inventory.items(['A'], BOTH, call())
    expect(items).to.have.lengthOf(1)
    expect(items[0]?.stock).to.deep.equal({ available: 3, expected: [{ date: '2026-03-09', quantity: 2 }] })
    expect(items[0]?.product?.media?.map(({ media_id }) => media_id)).to.deep.equal(['n'])
    expect(JSON.stringify(items)).to.not.match(/cost|secret|margin|supplier|on_hand|shelf/)
  })

  it('may ignore the limit, and pages still do not overlap', async () => {
    answer = { status: 200, body: { data: ['A', 'B', 'C'].map((sku) => ({ sku, product: bare })), has_more: false } }
    const page = await one.inventory.search(
      { q: 'a&b=c', limit: 2, offset: 0 },
      { product: true, stock: false },
      call(),
    )
    expect([page.items.map(({ sku }) => sku), page.total, page.has_more]).to.deep.equal([['A', 'B'], null, true])
    expect(sent.url).to.equal('/api/products?q=a%26b%3Dc&limit=2&offset=0&include=product')
  })

  it('fails a question whose answer does not fit', async () => {
    const price = {
      sku: 'A',
      price_type: 'LIST',
      list_amount: '1.00',
      tax_included: false,
      uom: 'each',
      as_of: '2026-03-01T00:00:00Z',
    }
    const wrong: [unknown, string][] = [
      ['<html>', 'not JSON'],
      [{ data: [{ ...price, amount: 1.5 }] }, 'a number for an amount'],
      [{ data: [{ ...price, amount: '-1.00' }] }, 'a negative amount'],
      [{ data: [{ ...price, amount: '1.00', as_of: 'now' }] }, 'a moment that is none'],
      [{}, 'no rows'],
    ]
    for (const [body, what] of wrong) {
      answer = { status: 200, body }
      expect((await failureOf(one.pricing.prices(['A'], null, call()))).failure, what).to.equal('invalid')
      expect((await failureOf(one.inventory.fitments!('A', { limit: 1, offset: 0 }, call()))).failure, what).to.equal(
        'invalid',
      )
    }
  })

  it('fails a question that the system refuses or cannot answer', async () => {
    for (const [status, failure] of [
      [400, 'rejected'],
      [401, 'rejected'],
      [404, 'rejected'],
      [429, 'rate_limited'],
      [500, 'error'],
    ] as const) {
      answer = { status, body: { error: 'x', detail: 'y' } }
      expect((await failureOf(one.pricing.prices(['A'], null, call()))).failure, `${status}`).to.equal(failure)
      if (status === 404) continue
      expect(
        (await failureOf(one.inventory.fitments!('A', { limit: 1, offset: 0 }, call()))).failure,
        `${status}`,
      ).to.equal(failure)
    }
  })
})
