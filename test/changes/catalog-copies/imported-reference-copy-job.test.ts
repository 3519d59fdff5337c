import { expect } from 'chai'
import { toMirrorRow } from '../../../src/catalog/mirror/write/to-mirror-changes.ts'
import { createImportedReferenceCopyJob } from '../../../src/changes/catalog-copies/imported-reference-copy-job.ts'
import type { ChangeJobContext } from '../../../src/changes/feed/change-job.ts'
import { createPiesFormat, defaultInterchangeKinds } from '../../../src/references/pies/pies-format.ts'
import { moveCatalogCopy } from '../../../src/storage/catalog/catalog-copy-progress.ts'
import { listCatalogParts } from '../../../src/storage/catalog/catalog-part-states.ts'
import { listCatalogProductsAfter, putCatalogParts } from '../../../src/storage/catalog/catalog-products.ts'
import type { Database } from '../../../src/storage/database.ts'
import { referenceImports } from '../../../src/storage/references/reference-imports.ts'
import { transact } from '../../../src/storage/transact.ts'
import type { Tenant } from '../../../src/tenant.ts'
import { importReferenceText } from '../../support/import-reference-text.ts'
import { stores } from '../../support/stores.ts'
import { createFakeSystems, type FakeSystems } from '../fake-systems.ts'
import { productOf } from '../sample-products.ts'
import { createTestFeed } from '../test-feed.ts'

const acme: Tenant = { merchant: 'acme', mode: 'sandbox' }
const HEAD = 'sku,brand,number,kind,customer'
const lines = (...rows: string[]) => `${HEAD}\n${rows.join('\n')}\n`

for (const store of stores()) {
  describe(`references in the catalog on ${store.name}`, () => {
    let db: Database
    let systems: FakeSystems

    beforeEach(async () => {
      db = await store.open()
      systems = createFakeSystems()
    })
    afterEach(() => store.close())

    const putProducts = (...skus: string[]) =>
      transact(db, (transaction) =>
        putCatalogParts(
          transaction,
          acme,
          skus.map((sku) => ({ sku, product: JSON.stringify(productOf(sku, systems.at())), active: 1 })),
          systems.at(),
        ),
      )
    const tick = async () => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      expect(feed.errors).to.deep.equal([])
    }
    const readRows = () => listCatalogProductsAfter(db, acme, 0, 10_000)
    const readNumbers = async () =>
      Object.fromEntries((await readRows()).map(({ sku, numbers }) => [sku, numbers && JSON.parse(numbers)]))
    const isFilled = async () =>
      (await listCatalogParts(db, acme)).some(({ name, filledAt }) => name === 'references' && filledAt !== null)

    it('are those of the current import, always in the same order', async () => {
      await putProducts('A', 'B', 'C')
      await importReferenceText(db, lines('B,,77-1,CUSTOMER,C-9', 'A,Toyota,04465,OEM,', 'A,Bosch,0 986,CROSS,'))
      await tick()
      expect(await readNumbers()).to.deep.equal({
        A: [
          { kind: 'CROSS', brand: 'Bosch', number: '0 986', customer_id: null },
          { kind: 'OEM', brand: 'Toyota', number: '04465', customer_id: null },
        ],
        B: [{ kind: 'CUSTOMER', brand: null, number: '77-1', customer_id: 'C-9' }],
        C: null,
      })
      const before = await readRows()
      await importReferenceText(db, lines('A,Bosch,0 986,CROSS,', 'A,Toyota,04465,OEM,', 'B,,77-1,CUSTOMER,C-9'))
      await tick()
      expect(await readRows()).to.deep.equal(before)
    })

    it('are removed from products that have none in the next import, and from all when they are cleared', async () => {
      await putProducts('A', 'B')
      await importReferenceText(db, lines('A,,1,OEM,', 'B,,2,OEM,'))
      await tick()
      await importReferenceText(db, lines('B,,2,OEM,'))
      await tick()
      expect((await readNumbers()).A).to.equal(null)
      expect((await readNumbers()).B).to.have.length(1)
      await referenceImports.deactivate(db, acme, systems.at())
      await tick()
      expect(await readNumbers()).to.deep.equal({ A: null, B: null })
    })

    const pies = (...items: [sku: string, text: string][]) => {
      const list = items.map(
        ([sku, text]) =>
          `<Item><PartNumber>${sku}</PartNumber><Descriptions><Description DescriptionCode="DES">${text}</Description></Descriptions></Item>`,
      )
      return `<PIES><Items>${list.join('')}</Items></PIES>`
    }
    const importPies = (...items: [sku: string, text: string][]) =>
      importReferenceText(db, pies(...items), { format: createPiesFormat(defaultInterchangeKinds) })

    it('come with the descriptions of the import, for products of which the inventory has none', async () => {
      await putProducts('A', 'B')
      const [withText] = await readRows()
      const product = JSON.stringify({ ...JSON.parse(withText!.product), sku: 'C', description: 'Of the inventory' })
      await transact(db, (transaction) =>
        putCatalogParts(transaction, acme, [{ sku: 'C', product, active: 1 }], systems.at()),
      )
      const readDescriptions = async () =>
        Object.fromEntries((await readRows()).map((row) => [row.sku, toMirrorRow(row).product.description]))
      const none = await readDescriptions()
      await importPies(['A', 'Pad of A'], ['C', 'Pad of C'], ['D', 'Pad of D'])
      await tick()
      expect(await readDescriptions()).to.deep.equal({ ...none, A: 'Pad of A', C: 'Of the inventory' })
      const before = await readRows()
      await importPies(['A', 'Pad of A'], ['B', 'Pad of B'])
      await tick()
      const after = await readRows()
      expect(
        after.find(({ sku }) => sku === 'A'),
        'not written again',
      ).to.deep.equal(before.find(({ sku }) => sku === 'A'))
      expect(await readDescriptions()).to.deep.equal({ A: 'Pad of A', B: 'Pad of B', C: 'Of the inventory' })
      await importReferenceText(db, lines('A,,1,OEM,'))
      await tick()
      expect(await readDescriptions()).to.deep.equal(none)
    })

    it('has the descriptions after a release without them has copied the numbers', async () => {
      await putProducts('A')
      await importPies(['A', 'Pad of A'])
      const { import_id } = (await referenceImports.findCurrent(db, acme))!
      await moveCatalogCopy(db, acme, 'references', null, { source: String(import_id), position: null })
      await tick()
      expect((await readRows()).map(({ description }) => description)).to.deep.equal(['Pad of A'])
    })

    it('has the descriptions of thousands of products, and removes them', async () => {
      const skus = Array.from({ length: 1_201 }, (_, at) => `S-${String(at).padStart(5, '0')}`)
      await putProducts(...skus)
      await importPies(...skus.map((sku) => [sku, `Text of ${sku}`] as [string, string]))
      await tick()
      const readAll = async () => (await readRows()).map(({ sku, description }) => [sku, description])
      expect((await readAll()).sort()).to.deep.equal(skus.map((sku) => [sku, `Text of ${sku}`]))
      await referenceImports.deactivate(db, acme, systems.at())
      await tick()
      expect((await readAll()).sort()).to.deep.equal(skus.map((sku) => [sku, null]))
    })

    it('are there when a product follows its import', async () => {
      await importReferenceText(db, lines('A,,1,OEM,'))
      await tick()
      await putProducts('A')
      expect((await readNumbers()).A).to.deep.equal([{ kind: 'OEM', brand: null, number: '1', customer_id: null }])
    })

    it('are filled also where nothing is imported', async () => {
      expect(await isFilled()).to.equal(false)
      await tick()
      expect(await isFilled()).to.equal(true)
    })

    /** A job that may write a number of pages, before another process takes over. */
    async function copyPages(pages: number): Promise<void> {
      let left = pages
      const context = {
        db,
        tenant: acme,
        now: () => systems.now,
        canContinue: () => left-- > 0,
      } as Partial<ChangeJobContext> as ChangeJobContext
      await createImportedReferenceCopyJob(context).run()
    }
    const skus = Array.from({ length: 1_500 }, (_, number) => `S-${String(number).padStart(4, '0')}`)
    const toFile = (prefix: string, only = skus) =>
      lines(...only.flatMap((sku) => ['a', 'b', 'c'].map((mark) => `${sku},,${prefix}${mark}${sku},OEM,`)))
    const expectCopy = async (prefix: string, only = skus) => {
      const numbers = await readNumbers()
      for (const sku of skus)
        expect(numbers[sku]?.map(({ number }: { number: string }) => number) ?? null, sku).to.deep.equal(
          only.includes(sku) ? ['a', 'b', 'c'].map((mark) => `${prefix}${mark}${sku}`) : null,
        )
    }

    it('are copied in pages of whole products, and go on after a restart', async () => {
      await putProducts(...skus)
      await importReferenceText(db, toFile('x'))
      await copyPages(1)
      const copied = (await readRows()).filter(({ numbers }) => numbers !== null)
      expect(copied.length).to.be.within(1, 1_499)
      expect(await isFilled()).to.equal(false)
      const sequences = new Map(copied.map(({ sku, sequence }) => [sku, sequence]))
      await copyPages(100)
      await expectCopy('x')
      expect(await isFilled()).to.equal(true)
      // What was copied before the restart was not written again.
      for (const { sku, sequence } of await readRows())
        if (sequences.has(sku)) expect(sequence).to.equal(sequences.get(sku))
    })

    it('are those of an import that replaced another one in the middle of the copy', async () => {
      await putProducts(...skus)
      await importReferenceText(db, toFile('x'))
      await copyPages(1)
      const fewer = skus.filter((_, at) => at % 3 > 0)
      await importReferenceText(db, toFile('y', fewer))
      await copyPages(100)
      await expectCopy('y', fewer)
    })

    it('are copied once by two processes at the same time', async () => {
      await putProducts(...skus)
      await importReferenceText(db, toFile('x'))
      await Promise.all([copyPages(100), copyPages(100)])
      await expectCopy('x')
    })
  })
}
