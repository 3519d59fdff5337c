import { expect } from 'chai'
import { toPicturePaths } from '../../../src/catalog/mirror/file/picture-paths.ts'
import { toProductState } from '../../../src/changes/products/product-state.ts'
import { createPictureUrlSigner } from '../../../src/media/picture-url-signer.ts'
import type { Product } from '../../../src/ports/inventory.ts'
import type { Database } from '../../../src/storage/database.ts'
import { stores } from '../../support/stores.ts'
import { createFakeSystems, type FakeSystems } from '../fake-systems.ts'
import { openMachines } from '../mirror-machines.ts'
import { readEventLines } from '../read-events.ts'
import { productOf } from '../sample-products.ts'
import { createTestFeed } from '../test-feed.ts'

const OLD = 'http://127.0.0.1:8080'
const NEW = 'https://api.example/shop'
const PATH = /^\/media\/acme\/sandbox\/m%2F1\/v1-[\w-]{22}\/thumb\.webp$/

/** A picture that Forecourt serves, and one of the system. */
function mediaOf(base: string): Product['media'] {
  const { createUrls } = createPictureUrlSigner({ key: Buffer.alloc(32), base: () => base })
  const picture = { media_id: '1', position: 1, alt: null, kind: 'IMAGE' as const, width: null, height: null }
  const urls = createUrls({ merchant: 'acme', mode: 'sandbox' }, { source: 'm/1', version: 'v1' })
  const own = 'https://erp.example/media/acme/1.webp'
  return [
    { ...picture, ...urls },
    { ...picture, media_id: '2', thumb_url: own, large_url: own },
  ]
}

for (const store of stores()) {
  describe(`URLs of pictures in the store's catalog on ${store.name}`, () => {
    let db: Database
    let systems: FakeSystems
    beforeEach(async () => {
      db = await store.open()
      systems = createFakeSystems()
      serve(OLD)
    })
    afterEach(() => store.close())

    function serve(base: string, change: Partial<Product> = {}) {
      systems.products.rows = [productOf('A', systems.at(), { media: mediaOf(base), ...change })]
    }
    async function rounds(count = 3) {
      await using feed = createTestFeed(db, systems)
      for (let round = 0; round < count; round++) {
        systems.now += 6_000
        await feed.tick()
      }
      expect(feed.errors).to.deep.equal([])
    }
    async function readRow() {
      const row = await db.selectFrom('catalog_products').selectAll().executeTakeFirstOrThrow()
      return { sequence: Number(row.sequence), media: JSON.parse(row.product!).media as NonNullable<Product['media']> }
    }
    /** Stores the product as an earlier release did. */
    async function storeWholeUrls() {
      const [product] = systems.products.rows
      await db
        .updateTable('catalog_products')
        .set({ product: JSON.stringify(product) })
        .execute()
      await db
        .updateTable('resources')
        .set({ state: JSON.stringify(toProductState(product!)) })
        .where('type', '=', 'product')
        .execute()
    }

    it('are paths, so that a process with another public URL finds no change', async () => {
      await rounds()
      const before = await readRow()
      expect(before.media[0]!.thumb_url).to.match(PATH)
      expect(before.media[1]).to.deep.equal(mediaOf(OLD)![1])
      serve(NEW, { updated_at: systems.products.rows[0]!.updated_at })
      await rounds(12)
      expect([await readRow(), await readEventLines(db)]).to.deep.equal([before, []])
    })

    for (const [name, base] of [
      ['the same', OLD],
      ['another', NEW],
    ] as const)
      it(`become paths without an event, read with ${name} public URL`, async () => {
        await rounds()
        const before = await readRow()
        await storeWholeUrls()
        expect((await readRow()).media[0]!.thumb_url).to.match(/^http:/)
        serve(base, { updated_at: systems.products.rows[0]!.updated_at })
        await rounds(12)
        expect([await readRow(), await readEventLines(db)]).to.deep.equal([before, []])
      })

    it('do not hide a change of the product', async () => {
      await rounds()
      await storeWholeUrls()
      serve(NEW, { name: 'renamed' })
      await rounds(12)
      expect(await readEventLines(db)).to.deep.equal(['product.updated A'])
      expect((await readRow()).media[0]!.thumb_url).to.match(PATH)
    })
  })
}

describe('URLs of pictures in a mirror', () => {
  it('begin with the public URL of the process that reads it, whatever the store has', async () => {
    await using machines = await openMachines(stores()[0]!)
    const product = (sku: string, media: Product['media']) => ({
      sku,
      product: JSON.stringify(productOf(sku, '2026-03-02T12:00:00Z', { media })),
      active: 1,
    })
    await machines.put([product('PATHS', toPicturePaths({ media: mediaOf(OLD) }).media), product('URLS', mediaOf(OLD))])
    await machines.markRead('products')
    for (const base of [OLD, NEW]) {
      const { mirror } = machines.startProcess('one', { publicUrl: () => base })
      await mirror.poll()
      for (const found of mirror.products(['PATHS', 'URLS'])) expect(found!.product.media).to.deep.equal(mediaOf(base))
    }
  })
})
