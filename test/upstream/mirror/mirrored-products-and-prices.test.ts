import { expect } from 'chai'
import { columnSection } from '../../../src/sections/section.ts'
import { sectionError } from '../../../src/sections/section-errors.ts'
import { toSectionTrace } from '../../../src/sections/section-trace.ts'
import { toRow } from '../../catalog/mirror-rows.ts'
import { createMirrorSetup, failed, MAX_AGE_MS } from './mirror-setup.ts'

const iso = (ms: number) => new Date(ms).toISOString()
const tax = (sku: string) => ({ sku, code: 'GCT', name: 'GCT', rate: '0.15' })

describe('products, prices, taxes and bands of a back office with a mirror', () => {
  it('come from the mirror without a call, and are tagged with their SKUs', async () => {
    const { backOffice, put, scope, asked, reads, now } = createMirrorSetup()
    put(toRow('A', { listPrice: '5.00', tax: tax('A') }), toRow('B', { band: 'LOW' }))
    const asking = scope()
    const [products, prices, taxes, bands] = await Promise.all([
      backOffice.products(['A', 'B', 'none'], asking),
      backOffice.prices(['A', 'B', 'none'], null, asking),
      backOffice.taxes(['A', 'B', 'none'], null, asking),
      backOffice.availability(['A', 'B', 'none'], asking),
    ])
    expect(products.map(({ value }) => value?.sku)).to.deep.equal(['A', 'B', undefined])
    expect(prices.map(({ value }) => value?.amount)).to.deep.equal(['5.00', undefined, undefined])
    expect(taxes.map(({ value }) => value?.rate)).to.deep.equal(['0.15', undefined, undefined])
    expect(bands.map(({ value }) => value?.band)).to.deep.equal(['IN_STOCK', 'LOW', undefined])
    const all = [products, prices, taxes, bands].flat()
    expect(all.every(({ error, asOf, mirrored }) => error === null && asOf === now() && mirrored)).to.equal(true)
    expect([...asking.tags]).to.deep.equal(['A', 'B', 'none'])
    expect(asked).to.deep.equal([])
    expect(reads, 'one read for the whole request').to.deep.equal([['A', 'B', 'none']])
  })

  it('say in traces that the mirror answered', async () => {
    const { backOffice, put, scope } = createMirrorSetup()
    put(toRow('A'))
    const trace = toSectionTrace('product', columnSection(await backOffice.products(['A'], scope())), 1)
    expect(trace).to.include({ outcome: 'ok', system: 'inventory', mirrored: true })
  })

  it('ask the systems for a part that is not filled, and in one call for rows whose part was not read', async () => {
    const { backOffice, put, scope, asked, states } = createMirrorSetup()
    const unread = (sku: string) => {
      const { price: _, tax: __, ...row } = toRow(sku)
      return row
    }
    put(toRow('A', { listPrice: '1.00', tax: tax('A') }), unread('B'), unread('C'))
    const prices = await backOffice.prices(['A', 'B', 'C'], null, scope())
    expect(prices.map(({ value }) => (value as { amount?: string })?.amount ?? value)).to.deep.equal([
      '1.00',
      'live B',
      'live C',
    ])
    states.taxes.isFilled = false
    await backOffice.taxes(['A', 'B'], null, scope())
    states.products.isFilled = false
    await backOffice.availability(['A', 'none'], scope())
    expect(asked).to.deep.equal(['prices of null B,C', 'taxes of null A,B', 'availability A,none'])
  })

  it('leave what is said of products to the systems until all products are there', async () => {
    const { backOffice, scope, asked, states } = createMirrorSetup()
    states.products.isFilled = false
    await backOffice.references('A', null, scope())
    await backOffice.productsByNumber('X1', null, scope())
    await backOffice.fitments('A', { limit: 1, offset: 0 }, scope())
    expect(backOffice.mirror.fitments(7, ['A'], scope())).to.equal(null)
    expect(asked).to.deep.equal(['references', 'productsByNumber', 'fitments'])
  })

  it('ask the systems for a signed-in customer, always', async () => {
    const { backOffice, put, scope, asked } = createMirrorSetup()
    put(toRow('A', { listPrice: '1.00', tax: tax('A') }))
    await backOffice.prices(['A'], 'C-1', scope())
    await backOffice.taxes(['A'], 'C-1', scope())
    expect(asked).to.deep.equal(['prices of C-1 A', 'taxes of C-1 A'])
  })

  it('are whole up to the bound, then stale with their age; what is absent stays absent', async () => {
    const { backOffice, put, scope, asked, states, pass, now } = createMirrorSetup()
    put(toRow('A', { listPrice: '1.00' }))
    states.prices.failure = 'timeout'
    const at = now()
    const read = async () => {
      const prices = columnSection(await backOffice.prices(['A'], null, scope()))
      const products = columnSection(await backOffice.products(['A', 'none'], scope()))
      const entries = { price: prices, data: products }
      return Object.entries(entries).flatMap(([name, section]) =>
        section.error ? [sectionError(name, section, section.error)] : [],
      )
    }
    pass(MAX_AGE_MS)
    expect(await read()).to.deep.equal([])
    pass(1)
    expect(await read()).to.deep.equal([
      {
        field: 'price',
        code: 'downstream_timeout',
        detail: 'The upstream system did not respond in time.',
        stale: true,
        as_of: iso(at),
      },
      {
        field: 'data',
        code: 'downstream_unavailable',
        detail: 'The upstream system could not be reached.',
        stale: true,
        as_of: iso(at),
      },
    ])
    const [absent] = await backOffice.products(['none'], scope())
    expect(absent).to.include({ value: null, error: null })
    expect(asked).to.deep.equal([])
  })

  it('ask for rows that are read in turns and are old, and keep the mirror’s if the system fails', async () => {
    const { backOffice, put, scope, asked, pass, world, now, states } = createMirrorSetup()
    const old = now()
    const inTurn = (sku: string, at: number) =>
      toRow(sku, { listPrice: '1.00', price_as_of: iso(at), stock_as_of: iso(at) })
    put(inTurn('OLD', old), toRow('NONE', { price_as_of: iso(old) }))
    pass(MAX_AGE_MS + 1)
    put(inTurn('NEW', now()))
    states.prices.asOf = now()
    const amounts = async () =>
      (await backOffice.prices(['OLD', 'NEW', 'NONE'], null, scope())).map(({ value, error, asOf }) => [
        (value as { amount?: string })?.amount ?? value,
        error?.failure ?? null,
        asOf,
      ])
    expect(await amounts()).to.deep.equal([
      ['live OLD', null, now()],
      ['1.00', null, now()],
      ['live NONE', null, now()],
    ])
    world.live = (skus) => skus.map(() => failed('circuit_open'))
    expect(await amounts()).to.deep.equal([
      ['1.00', 'circuit_open', old],
      ['1.00', null, now()],
      [null, null, old],
    ])
    const older = { value: 'last good' as never, asOf: old - 1 }
    world.live = (skus) => skus.map(() => ({ ...failed('error'), ...older }))
    expect((await amounts())[0]).to.deep.equal(['1.00', 'error', old])
    world.live = (skus) => skus.map(() => ({ ...failed('error'), ...older, asOf: old + 1 }))
    expect((await amounts())[0]).to.deep.equal(['last good', 'error', old + 1])
    expect(asked).to.deep.equal(Array(4).fill('prices of null OLD,NONE'))
  })

  it('pass the mirror when X-Sandbox-Fault fails their system, and only then', async () => {
    const { backOffice, put, scope, asked } = createMirrorSetup()
    put(toRow('A', { listPrice: '1.00', tax: tax('A') }))
    const faulty = scope({ pricing: 'timeout' })
    await backOffice.prices(['A'], null, faulty)
    await backOffice.products(['A'], faulty)
    const noInventory = scope({ inventory: 'error' })
    await backOffice.products(['A'], noInventory)
    await backOffice.availability(['A'], noInventory)
    await backOffice.taxes(['A'], null, noInventory)
    expect(asked).to.deep.equal(['prices of null A', 'products A', 'availability A'])
  })

  it('promise no day that has passed', async () => {
    const { backOffice, put, scope, pass } = createMirrorSetup()
    put({ ...toRow('A'), availability: { band: 'LEAD_TIME', eta: '2026-03-02' } })
    const band = async () => (await backOffice.availability(['A'], scope()))[0]!.value
    expect(await band()).to.deep.equal({ band: 'LEAD_TIME', eta: '2026-03-02' })
    pass(86_400_000)
    expect(await band()).to.deep.equal({ band: 'OUT', eta: null })
  })

  it('come from the systems while the file cannot be read, and from the file again afterwards', async () => {
    const { backOffice, put, scope, asked, world, errors, pass, reads, states, now } = createMirrorSetup()
    put(toRow('A'))
    world.fileError = new Error('disk I/O error')
    const read = async () => (await backOffice.products(['A'], scope()))[0]!.value
    expect([await read(), await read()]).to.deep.equal(['live A', 'live A'])
    expect([asked.length, errors.length, reads.length]).to.deep.equal([2, 1, 0])
    expect(backOffice.mirror.state).to.equal('filling')
    world.fileError = null
    pass(5_000)
    states.products.asOf = now()
    expect(await read()).to.include({ sku: 'A' })
    expect(backOffice.mirror.state).to.equal('ready')
  })
})

describe('a cart’s products and bands', () => {
  it('ask the inventory about what the mirror lacks, has withdrawn, or has not confirmed lately', async () => {
    const { backOffice, put, scope, asked, pass, world } = createMirrorSetup()
    put(toRow('A'), toRow('GONE', { product: { active: false } }))
    const read = async () =>
      (await backOffice.products(['A', 'GONE', 'NEW'], scope(), { forCart: true })).map(
        ({ value, error }) => (value as { sku?: string })?.sku ?? value ?? error?.failure ?? null,
      )
    expect(await read()).to.deep.equal(['A', 'live GONE', 'live NEW'])
    await backOffice.availability(['A', 'NEW'], scope(), { forCart: true })
    pass(MAX_AGE_MS + 1)
    expect(await read()).to.deep.equal(['live A', 'live GONE', 'live NEW'])
    expect(asked).to.deep.equal(['products GONE,NEW', 'availability NEW', 'products A,GONE,NEW'])
    world.live = (skus) => skus.map(() => failed('timeout'))
    expect(await read(), 'an absence of an old mirror proves nothing').to.deep.equal(['A', 'GONE', 'timeout'])
  })
})
