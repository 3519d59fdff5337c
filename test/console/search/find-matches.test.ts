import { expect } from 'chai'
import { loadAssets } from '../../../src/console/assets.ts'
import { createMerchantDirectory } from '../../../src/console/merchant-directory.ts'
import { createPageRenderer } from '../../../src/console/page-renderer.ts'
import { createSearchPages } from '../../../src/console/pages/lookup/search-page.ts'
import { findMatches, type SearchParts } from '../../../src/console/search/find-matches.ts'
import { parseSearchText } from '../../../src/console/search/search-text.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { modes } from '../../../src/tenant.ts'
import type { CircuitOfTenant } from '../../../src/upstream/upstream-registry.ts'

type Mirror = SearchParts['mirrors'][number]

const names: Readonly<Record<string, string>> = { 'BP-1001': 'Front Brake Pad Set', 'BF-1003': 'Brake Fluid' }
const skus = Object.keys(names)
const results: Readonly<Record<string, number[]>> = { brake: [0, 1], 'OZ-55692': [0], 'bp-10': [0], abc: [0] }
const mirror: Mirror = {
  tenant: { merchant: 'acme', mode: 'live' },
  isServing: true,
  productsByNumber: (number) => (number === 'BP1001' ? [{ sku: 'BP-1001', kind: 'SKU', brand: null, number }] : []),
  search: async ({ q = '' }) =>
    ({ ids: results[q] ?? [], total: 9, corrected: q === 'abc' ? 'abd' : null, facets: null }) as never,
  skusOf: (ids) => ids.map((id) => skus[id]!),
  products: (asked) => asked.map((sku) => ({ product: { name: names[sku] } }) as never),
}
const busy: Mirror = { ...mirror, search: () => Promise.reject(new Error('too many searches wait')) }
const merchants = createMerchantDirectory(
  [{ merchant: 'acme', name: 'Acme Auto Parts', timeZone: 'UTC', currency: 'JMD' }],
  () => 0,
)

/** The inventories of merchants, in these modes. */
const inventoriesOf = (ids: readonly string[], inModes = modes): SearchParts['upstreams'] => ({
  states: () =>
    ids.flatMap((merchant) => inModes.map((mode) => ({ merchant, mode, circuit: 'inventory' }) as CircuitOfTenant)),
})
const upstreams = inventoriesOf(['acme'])

describe('the search box, for words', () => {
  let db: Awaited<ReturnType<typeof openDatabase>>
  before(async () => {
    db = await openDatabase('sqlite::memory:')
  })
  after(() => db[Symbol.asyncDispose]())
  const search = (text: string, mirrors: Mirror[] = [mirror]) =>
    findMatches({ db, mirrors, merchants, upstreams, now: () => 0 }, parseSearchText(text))
  const find = async (text: string, mirrors?: Mirror[]) =>
    (await search(text, mirrors)).matches.map(({ kind, name, note }) => [kind, name, note])

  it('lists the products that the shop lists, with their names', async () => {
    expect(await find('brake')).to.deep.equal([
      ['Product', 'BP-1001', 'Front Brake Pad Set'],
      ['Product', 'BF-1003', 'Brake Fluid'],
    ])
    for (const text of ['OZ-55692', 'bp-10', 'bp 1001'])
      expect(await find(text)).to.deep.equal([['Product', 'BP-1001', 'Front Brake Pad Set']])
  })

  it('says which of them cannot be ordered, and what they lack in which system', async () => {
    const products: Mirror['products'] = ([sku]) => [
      { product: { name: names[sku!] }, price: null, tax: null, availability: { band: 'IN_STOCK' } } as never,
    ]
    expect((await find('brake', [{ ...mirror, products }]))[0]).to.deep.equal([
      ...['Product', 'BP-1001'],
      'Front Brake Pad Set. It cannot be ordered, except by customers who have their own: no price in pricing, no tax in accounting',
    ])
  })

  it('lists no product of a corrected text, nor of a mirror that does not answer or is being filled', async () => {
    expect(await find('abc')).to.deep.equal([])
    expect(await find('brake', [busy])).to.deep.equal([])
    expect(await find('brake', [{ ...mirror, isServing: false }])).to.deep.equal([])
  })

  it('names the merchants whose products could not be searched', async () => {
    const { tenant } = mirror
    const unsearched = { matches: [], possibleProducts: [], unsearched: [tenant] }
    expect(await search('brake', [busy])).to.deep.equal(unsearched)
    const eleven = await search('abc', Array<Mirror>(11).fill(mirror))
    expect(eleven).to.deep.equal(unsearched)
    expect((await search('brake', [mirror])).unsearched).to.deep.equal([])
  })

  it('does not say that nothing was found where not all was searched', async () => {
    const read = async (mirrors: Mirror[]) => {
      const [page] = createSearchPages({ db, mirrors, merchants, upstreams, now: () => 0 })
      const response = await page!.respond({ query: new URLSearchParams('q=brake') } as never)
      return createPageRenderer(loadAssets()).renderMain(response as never, {
        session: { operator: {} } as never,
        path: '/find',
        nowMs: 0,
      })
    }
    expect(await read([busy])).to.include('Not everything was searched')
    expect(await read([busy])).to.include('The products of Acme Auto Parts (live) could not be searched')
    expect(await read([]))
      .to.include('Nothing found')
      .and.not.include('could not be searched')
    expect(await read([mirror, busy]))
      .to.include('2 matches')
      .and.include('could not be searched')
  })

  describe('and for a SKU that several merchants may have', () => {
    const zenith: Mirror = { ...mirror, tenant: { merchant: 'zenith', mode: 'live' } }
    const two = createMerchantDirectory(
      [
        { merchant: 'acme', name: 'Acme Auto Parts', timeZone: 'UTC', currency: 'JMD' },
        { merchant: 'zenith', name: 'Zenith', timeZone: 'UTC', currency: 'JMD' },
      ],
      () => 0,
    )
    const read = async (q: string, mirrors: Mirror[], upstreams = inventoriesOf(two.ids)) => {
      const [page] = createSearchPages({ db, mirrors, merchants: two, upstreams, now: () => 0 })
      const response = await page!.respond({ query: new URLSearchParams({ q }) } as never)
      if ('redirect' in response) return response.redirect
      const html = createPageRenderer(loadAssets()).renderMain(response as never, {
        session: { operator: {} } as never,
        path: '/find',
        nowMs: 0,
      })
      return [...html.matchAll(/<a [^>]*href="([^"]+)">([^<]+)/g)].map(([, href, name]) => [name, href])
    }
    const lookIn = (merchant: string, name: string) =>
      ['live', 'sandbox'].map((mode) => [
        `Look in the inventory of ${name} (${mode})`,
        `/products/${merchant}/${mode}/BP-1001`,
      ])
    const [live, sandbox] = lookIn('acme', 'Acme Auto Parts')

    it('lists those that have it among those of whose catalogs this machine has no copy', async () => {
      const rows = [
        ['BP-1001', '/products/acme/live/BP-1001'],
        ['BP-1001', '/products/zenith/live/BP-1001'],
        ['BP-1001', '/products/acme/sandbox/BP-1001'],
        ['BP-1001', '/products/zenith/sandbox/BP-1001'],
      ]
      expect(await read('bp 1001', [zenith])).to.deep.equal(rows)
      expect(await read('BP-1001', [zenith, mirror])).to.deep.equal(rows)
    })

    it('opens the only one when all catalogs are here', async () => {
      const without: Mirror['productsByNumber'] = () => []
      const copied = (['acme', 'zenith'] as const).flatMap((merchant) =>
        (['live', 'sandbox'] as const).map((mode) => ({
          ...mirror,
          tenant: { merchant, mode },
          ...(`${merchant} ${mode}` === 'acme live' ? {} : { productsByNumber: without }),
        })),
      )
      expect(await read('BP-1001', copied)).to.equal('/products/acme/live/BP-1001')
      expect(await read('acme bp-1001', copied)).to.equal('/products/acme/live/BP-1001')
    })

    it('opens the only one when no other catalog can be read, because merchants have no sandbox', async () => {
      const onlyLive = inventoriesOf(two.ids, ['live'])
      expect(await read('BP-1001', [zenith], inventoriesOf(['zenith'], ['live']))).to.equal(
        '/products/zenith/live/BP-1001',
      )
      expect(await read('BP-1001', [zenith], onlyLive)).to.deep.equal([
        ['BP-1001', '/products/acme/live/BP-1001'],
        ['BP-1001', '/products/zenith/live/BP-1001'],
      ])
    })

    it('finds words that begin or end as the name of a merchant', async () => {
      const search: Mirror['search'] = async ({ q }) =>
        ({ ids: q === 'acme pads 12' ? [0] : [], total: 1, corrected: null, facets: null }) as never
      expect(await read('acme pads 12', [{ ...zenith, search }])).to.deep.equal([
        ['BP-1001', '/products/zenith/live/BP-1001'],
        ['Look in the inventory of Acme Auto Parts (live)', '/products/acme/live/pads%2012'],
        ['Look in the inventory of Acme Auto Parts (sandbox)', '/products/acme/sandbox/pads%2012'],
      ])
    })

    it('looks only at the merchant whose name or id is beside it', async () => {
      for (const typed of ['Acme BP-1001', 'bp1001 acme', 'acme auto parts bp 1001', 'BP-1001 ACME'])
        expect(await read(typed, [zenith]), typed).to.deep.equal([live, sandbox])
      expect(await read('zenith BP-1001', [zenith, mirror])).to.deep.equal([
        ['BP-1001', '/products/zenith/live/BP-1001'],
        ['BP-1001', '/products/zenith/sandbox/BP-1001'],
      ])
    })
  })

  it('finds codes with spaces, and merchants by name', async () => {
    expect(await find('Downstream timeout')).to.deep.equal([
      ['Code', 'downstream_timeout', 'No complete response in time'],
    ])
    const found = [
      ['Merchant', 'Acme Auto Parts', 'its timeline'],
      ['Merchant', 'Acme Auto Parts', 'its timeline'],
    ]
    for (const text of ['acme auto parts', 'ACME', 'auto']) expect(await find(text), text).to.deep.equal(found)
    expect(await find('cme')).to.deep.equal([])
  })
})
