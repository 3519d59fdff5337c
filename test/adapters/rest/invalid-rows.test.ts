import { expect } from 'chai'
import { createCall } from '../../support/create-call.ts'
import { failureOf } from '../../support/failure-of.ts'
import { respondJson, type ScriptedUpstream, startScriptedUpstream } from '../../support/scripted-upstream.ts'
import { BOTH_ITEM_PARTS } from '../conformance/both-item-parts.ts'
import type { Ports } from '../conformance/subject.ts'
import { connectPorts, disconnectAll } from './ports.ts'

describe('rest: invalid rows', () => {
  let system: ScriptedUpstream
  let one: Required<Ports>

  before(async () => {
    system = await startScriptedUpstream()
    one = connectPorts(system.address)
  })

  after(async () => {
    await disconnectAll()
    await system.close()
  })

  const answers = (body: unknown) => {
    system.script = respondJson(body)
  }
  const skusOf = (rows: readonly { sku: string }[]) => rows.map(({ sku }) => sku)
  const price = {
    sku: 'A',
    amount: '1.00',
    price_type: 'LIST',
    list_amount: '1.00',
    tax_included: false,
    uom: 'each',
    as_of: '2026-03-01T00:00:00Z',
  }
  const product = { name: 'Pads', uom: 'each', active: true, updated_at: '2026-03-01T10:00:00-05:00' }
  const badProduct = { ...product, updated_at: 'yesterday' }
  const page = { limit: 5, offset: 0 }

  it('affect the price of their own SKU only', async () => {
    const bad = [
      { ...price, sku: 'B', amount: '-5.00' },
      { ...price, sku: 'C', as_of: 'now' },
      { ...price, sku: 'D', breaks: [{ min_quantity: '2', amount: null }] },
      null,
    ]
    answers({ data: [...bad, price] })
    expect(skusOf(await one.pricing.prices(['A', 'B', 'C', 'D'], null, createCall()))).to.deep.equal(['A'])
  })

  it('affect the tax of their own SKU only', async () => {
    const tax = { sku: 'A', code: 'GCT', name: 'GCT', rate: '0.15' }
    answers({ data: [{ ...tax, sku: 'B', rate: 0.15 }, tax] })
    expect(skusOf(await one.accounting.taxes(['A', 'B'], null, createCall()))).to.deep.equal(['A'])
  })

  it('affect the product of their own SKU only', async () => {
    answers({
      data: [
        { sku: 'A', product },
        { sku: 'B', product: badProduct },
      ],
    })
    expect(skusOf(await one.inventory.items(['A', 'B'], BOTH_ITEM_PARTS, createCall()))).to.deep.equal(['A'])
  })

  it('are left out of a page, whose total is unchanged', async () => {
    const rows = [
      { sku: 'B', product: badProduct },
      { sku: '', product },
      { sku: 'A', product },
    ]
    answers({ data: rows, total: 3, has_more: false })
    const found = await one.inventory.search(page, BOTH_ITEM_PARTS, createCall())
    expect([skusOf(found.items), found.total, found.has_more]).to.deep.equal([['A'], 3, false])
  })

  it('are left out of categories, tags, facets and fitments', async () => {
    const category = { category_id: '1', name: 'Brakes', slug: 'brakes' }
    answers({ data: [{ ...category, name: null }, category] })
    expect(await one.inventory.categories(createCall())).to.have.lengthOf(1)
    answers({ data: [{ tag: 7 }, { tag: 'bulk' }] })
    expect(await one.inventory.tags!(createCall())).to.deep.equal([{ tag: 'bulk', name: 'bulk', count: null }])
    answers({ data: [{ value: '2019' }, { value: '2020', count: 3 }] })
    expect(await one.inventory.vehicleFacet!({ facet: 'year' }, createCall())).to.have.lengthOf(1)
    const vehicle = { vehicle_id: 1, year: 2020, make: 'Toyota', model: 'Corolla', market: 'JM' }
    const fitting = { sku: 'A', product, fitment: { universal: false } }
    answers({ vehicle, data: [{ ...fitting, fitment: null }, fitting], total: 2, has_more: false })
    expect(skusOf((await one.inventory.vehicleItems!(1, page, BOTH_ITEM_PARTS, createCall())).items)).to.deep.equal([
      'A',
    ])
    answers({ universal: false, data: [{ ...vehicle, year: '2020' }, vehicle], total: 2, has_more: false })
    expect((await one.inventory.fitments!('A', page, createCall()))!.fitments).to.have.lengthOf(1)
  })

  it('fail the call when all rows or the envelope are invalid', async () => {
    for (const data of [[{ ...price, amount: '-5.00' }], [null, 7], { A: price }, null]) {
      answers({ data })
      const { failure } = await failureOf(one.pricing.prices(['A'], null, createCall()))
      expect(failure, JSON.stringify(data)).to.equal('invalid')
    }
    answers({ data: [{ sku: 'A', product }], total: -1, has_more: false })
    expect((await failureOf(one.inventory.search(page, BOTH_ITEM_PARTS, createCall()))).failure).to.equal('invalid')
    answers({ data: [] })
    expect(await one.pricing.prices(['A'], null, createCall())).to.deep.equal([])
  })
})
