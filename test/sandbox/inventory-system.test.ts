import { expect } from 'chai'
import { updateProduct } from '../../src/sandbox/control/inventory-control-client.ts'
import type { RunningSystem } from '../../src/sandbox/start-system.ts'
import { sendRequest } from './send-request.ts'
import { createTempFolder } from './temp-folder.ts'
import { startTestSystem } from './test-system.ts'

const skusOf = (answer: { body: { data: { sku: string }[] } }) => answer.body.data.map(({ sku }) => sku)

describe('the sandbox: inventory', () => {
  let inventory: RunningSystem
  let folder: Awaited<ReturnType<typeof createTempFolder>>

  before(async () => {
    folder = await createTempFolder()
    inventory = await startTestSystem({ system: 'inventory', directory: folder.directory })
  })

  after(async () => {
    await inventory.stop()
    await folder.remove()
  })

  describe('POST /products/lookup', () => {
    it('returns both parts of a product', async () => {
      const { body } = await sendRequest(inventory, '/products/lookup', {
        body: { skus: ['BP-1001'], include: ['product', 'stock'] },
      })
      const name = 'Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty'
      const picture = (view: number, alt: string | null) => ({
        media_id: `m10001-${view}`,
        position: view,
        alt,
        kind: 'IMAGE',
        width: 800,
        height: 800,
        thumb_url: `${inventory.address}/media/pads-${view}-thumb.webp`,
        large_url: `${inventory.address}/media/pads-${view}-large.webp`,
      })
      const product = {
        sku: 'BP-1001',
        name,
        slug: 'front-brake-pad-set-honda-cr-v-2012-2016-heavy-duty-bp-1001',
        description:
          'Brake Pad Set by Orizon Parts, heavy duty grade. Sold by: set. Check the vehicle list before ordering.',
        brand: 'Orizon Parts',
        mpn: 'OZ55692',
        barcode: '2039253922140',
        tags: ['heavy-duty', 'new', 'safety', 'service-part'],
        active: true,
        uom: 'set',
        order_uoms: [{ uom: 'set', factor: '1', min: '1', increment: '1' }],
        updated_at: '2026-02-14T03:00:00.000Z',
        categories: [{ category_id: '101010', name: 'Brake Pads', slug: 'brake-pads' }],
        media: [picture(1, name), picture(2, null)],
      }
      expect(body).to.deep.equal({ data: [{ sku: 'BP-1001', product, stock: { available: 240, expected: [] } }] })
    })

    it('keeps the order of the request, drops duplicates and unknown SKUs, and accepts awkward ones', async () => {
      const skus = ['HX#1?A=B', 'BP-1004', 'nope', 'WB 22/24+S', 'BP-1008', 'BP-1004', '50%-CL&AF', 'ÑANDÚ-ÖL 5W']
      const { body } = await sendRequest(inventory, '/products/lookup', { body: { skus, include: ['stock'] } })
      const plenty = { available: 60, expected: [] }
      expect(body).to.deep.equal({
        data: [
          { sku: 'HX#1?A=B', stock: plenty },
          { sku: 'BP-1004', stock: { available: 0, expected: [{ date: '2026-03-11', quantity: 40 }] } },
          { sku: 'WB 22/24+S', stock: plenty },
          { sku: 'BP-1008', stock: null },
          { sku: '50%-CL&AF', stock: plenty },
          { sku: 'ÑANDÚ-ÖL 5W', stock: plenty },
        ],
      })
    })
  })

  describe('GET /products', () => {
    const search = (query: string) => sendRequest(inventory, `/products?include=stock&${query}`)

    it('finds every word in any field, ignoring case and accents', async () => {
      const plainly = await search('q=senalux%20PAD&limit=200')
      const accented = await search('q=SEÑALUX%20pad&limit=200')
      expect(plainly.body.total).to.be.greaterThan(0)
      expect(accented.body).to.deep.equal(plainly.body)
    })

    it('returns an exact SKU or barcode first', async () => {
      await updateProduct(inventory.controlAddress, 'demo', 'AF-1001', {
        description: 'Instead of BP-1002 2039253922140',
      })
      expect(skusOf(await search('q=bp-1002'))).to.deep.equal(['BP-1002', 'AF-1001'])
      expect(skusOf(await search('q=2039253922140'))).to.deep.equal(['BP-1001', 'AF-1001'])
    })

    it('filters by category id or slug, with descendants', async () => {
      const byId = await search('category=1010&limit=200')
      expect((await search('category=friction-parts&limit=200')).body).to.deep.equal(byId.body)
      expect(new Set(skusOf(byId).map((sku) => sku.slice(0, 2)))).to.deep.equal(new Set(['BP', 'BS']))
    })

    it('returns nothing for an unknown category, tag or vehicle', async () => {
      const nothing = { data: [], total: 0, has_more: false }
      for (const query of ['category=nope', 'tag=nope', 'vehicle_id=1']) {
        expect((await search(query)).body, query).to.deep.equal(nothing)
      }
    })

    it('pages by SKU without overlap and without inactive products', async () => {
      const seen: string[] = []
      for (let more = true; more; ) {
        const page = await search(`limit=200&offset=${seen.length}`)
        seen.push(...skusOf(page))
        more = page.body.has_more
      }
      expect(seen).to.deep.equal([...new Set(seen)].sort())
      expect(seen).to.have.lengthOf.greaterThan(1200).and.not.include('BP-1010')
      expect((await search('offset=5000')).body).to.deep.equal({ data: [], total: seen.length, has_more: false })
    })

    it('returns changes since a time, inclusive, with inactive products, oldest first', async () => {
      const changed = await updateProduct(inventory.controlAddress, 'demo', 'BP-1010', { name: 'Old pads' })
      expect(changed).to.match(/^2026-03-02T12:00:00\.00\dZ$/)
      const { body } = await sendRequest(inventory, `/products?include=product&updated_since=${changed}`)
      const rows = body.data.map(({ product }: { product: Record<string, unknown> }) => [
        product.sku,
        product.active,
        product.name,
      ])
      expect(rows).to.deep.include(['BP-1010', false, 'Old pads'])
      const all = await sendRequest(inventory, '/products?include=product&updated_since=2026-02-20T00:00:00Z&limit=200')
      const keys = all.body.data.map(
        ({ product }: { product: Record<string, string> }) => `${product.updated_at} ${product.sku}`,
      )
      expect(keys).to.have.lengthOf.greaterThan(20)
      expect(keys).to.deep.equal([...keys].sort())
    })

    it('rejects invalid parameters', async () => {
      for (const query of [
        'limit=0',
        'limit=201',
        'limit=x',
        'offset=-1',
        'include=price',
        'updated_since=yesterday',
        'updated_since=2026-13-01T00:00:00Z',
      ]) {
        expect((await search(query)).status, query).to.equal(400)
      }
      expect((await sendRequest(inventory, '/products?limit=1.5')).body).to.deep.equal({
        error: 'bad_request',
        detail: 'query/limit: must be integer',
      })
    })
  })

  it('counts the active products of each category and tag', async () => {
    const categories = (await sendRequest(inventory, '/categories')).body.data
    const pads = await sendRequest(inventory, '/products?category=brake-pads&limit=1')
    expect(categories).to.deep.include({
      category_id: '101010',
      name: 'Brake Pads',
      slug: 'brake-pads',
      parent_id: '1010',
      position: 0,
      product_count: pads.body.total,
    })
    const tags = (await sendRequest(inventory, '/tags')).body.data
    const bulk = await sendRequest(inventory, '/products?tag=bulk&limit=1')
    expect(tags).to.deep.include({ tag: 'bulk', name: 'Sold in bulk', count: bulk.body.total })
  })
})
