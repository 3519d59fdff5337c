import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import fc from 'fast-check'
import { openMirrorForReading } from '../../../src/catalog/mirror/file/mirror-file.ts'
import { createNumberReader } from '../../../src/catalog/mirror/read/product-number-reader.ts'
import { createMirrorThreads } from '../../../src/catalog/mirror/threads/mirror-threads.ts'
import { createVehicleReader } from '../../../src/catalog/mirror/vehicles/vehicle-and-fitment-reader.ts'
import { createSearchEngine } from '../../../src/catalog/search/search-engine.ts'
import type { SearchRequest } from '../../../src/catalog/search/search-request.ts'
import { createFitmentCopyJob } from '../../../src/changes/catalog-copies/fitment-copy-job.ts'
import { createImportedReferenceCopyJob } from '../../../src/changes/catalog-copies/imported-reference-copy-job.ts'
import type { ChangeJobContext } from '../../../src/changes/feed/change-job.ts'
import { updateMirrorFromStore } from '../../../src/changes/mirror/update-mirror-from-store.ts'
import { createPiesFormat, defaultInterchangeKinds } from '../../../src/references/pies/pies-format.ts'
import { putCatalogParts } from '../../../src/storage/catalog/catalog-products.ts'
import type { Database } from '../../../src/storage/database.ts'
import { fitmentImports } from '../../../src/storage/fitment/fitment-imports.ts'
import { referenceImports } from '../../../src/storage/references/reference-imports.ts'
import { transact } from '../../../src/storage/transact.ts'
import type { Tenant } from '../../../src/tenant.ts'
import { importFitmentText } from '../../support/import-fitment-text.ts'
import { importReferenceText } from '../../support/import-reference-text.ts'
import { stores } from '../../support/stores.ts'
import { createFakeSystems } from '../fake-systems.ts'
import { productOf } from '../sample-products.ts'

const acme: Tenant = { merchant: 'acme', mode: 'sandbox' }
const SKUS = ['A', 'B', 'C', 'D', 'E', 'F']
const MODELS = ['Corolla', 'Civic', 'Hilux', 'Swift']

const sku = fc.constantFrom(...SKUS)
const references = fc.uniqueArray(
  fc.record({ sku, number: fc.constantFrom('n-1', 'n-2', 'n-3'), customer: fc.constantFrom('', 'C-1') }),
  { maxLength: 8, selector: ({ sku, number, customer }) => `${sku} ${number} ${customer}` },
)
const fitments = fc.uniqueArray(
  fc.record({ sku, model: fc.constantFrom(...MODELS, ''), quantity: fc.integer({ min: 1, max: 3 }) }),
  { maxLength: 10, selector: ({ sku, model }) => `${sku} ${model}` },
)
const descriptions = fc.uniqueArray(fc.record({ sku, word: fc.constantFrom('ceramic', 'silent') }), {
  minLength: 1,
  maxLength: 6,
  selector: ({ sku }) => sku,
})
type Descriptions = typeof descriptions extends fc.Arbitrary<infer V> ? V : never
type References = typeof references extends fc.Arbitrary<infer V> ? V : never
type Fitments = typeof fitments extends fc.Arbitrary<infer V> ? V : never
const step = fc.oneof(
  fc.record({ kind: fc.constant('references' as const), rows: references }),
  // A PIES file replaces the references.
  fc.record({ kind: fc.constant('descriptions' as const), rows: descriptions }),
  fc.record({ kind: fc.constant('fitments' as const), rows: fitments }),
  fc.record({ kind: fc.constant('product' as const), sku, active: fc.boolean() }),
  // The holder of the feed dies after some pages, and another one goes on.
  fc.record({ kind: fc.constant('copy' as const), pages: fc.integer({ min: 0, max: 5 }) }),
  fc.record({ kind: fc.constant('follow' as const) }),
)

for (const store of stores()) {
  describe(`vehicles, numbers and descriptions of a mirror on ${store.name}`, () => {
    let db: Database
    let directory: string
    beforeEach(async () => {
      db = await store.open()
      directory = mkdtempSync(join(tmpdir(), 'forecourt-model-'))
    })
    afterEach(async () => {
      await store.close()
      rmSync(directory, { recursive: true, force: true })
    })

    const systems = createFakeSystems()
    systems.fitmentSource = 'imported'
    async function copy(pages: number): Promise<void> {
      let left = pages
      const canContinue = () => left-- > 0
      const backOffice = { changes: systems.changes, today: () => systems.today }
      const context = { db, tenant: acme, now: () => systems.now, canContinue, backOffice } as Partial<ChangeJobContext>
      await createImportedReferenceCopyJob(context as ChangeJobContext).run()
      await createFitmentCopyJob(context as ChangeJobContext).run()
    }

    it('equal the imports in the end, whatever comes in between', async () => {
      const threads = createMirrorThreads()
      const path = join(directory, 'mirror.db')
      const follow = () => updateMirrorFromStore({ db, tenant: acme, path, threads })
      let [numbers, fits, texts]: [References, Fitments, Descriptions] = [[], [], []]
      const active = new Map<string, boolean>()
      async function run(one: typeof step extends fc.Arbitrary<infer V> ? V : never): Promise<void> {
        systems.now += 1_000
        if (one.kind === 'references') await importReferences(one.rows)
        if (one.kind === 'descriptions') await importDescriptions(one.rows)
        if (one.kind === 'fitments') await importFits(one.rows)
        if (one.kind === 'product') await putProduct(one.sku, one.active)
        if (one.kind === 'copy') await copy(one.pages)
        if (one.kind === 'follow') await follow()
      }
      async function putProduct(name: string, isActive: boolean): Promise<void> {
        active.set(name, isActive)
        const part = { sku: name, product: JSON.stringify(productOf(name, systems.at())), active: Number(isActive) }
        await transact(db, (transaction) => putCatalogParts(transaction, acme, [part], systems.at()))
      }
      async function importReferences(rows: References): Promise<void> {
        numbers = rows
        texts = []
        const lines = rows.map(
          (row) => `${row.sku},,${row.number},${row.customer ? 'CUSTOMER' : 'OEM'},${row.customer}`,
        )
        if (lines.length === 0) await referenceImports.deactivate(db, acme, systems.at())
        else await importReferenceText(db, ['sku,brand,number,kind,customer', ...lines, ''].join('\n'))
      }
      async function importDescriptions(rows: Descriptions): Promise<void> {
        numbers = []
        texts = rows
        const items = rows.map(
          (row) =>
            `<Item><PartNumber>${row.sku}</PartNumber><Descriptions><Description DescriptionCode="DES">${row.word}</Description></Descriptions></Item>`,
        )
        const format = createPiesFormat(defaultInterchangeKinds)
        await importReferenceText(db, `<PIES>${items.join('')}</PIES>`, { format })
      }
      async function importFits(rows: Fitments): Promise<void> {
        fits = rows
        const lines = rows.map((row) =>
          row.model ? `${row.sku},2010,Make,${row.model},${row.quantity},` : `${row.sku},,,,${row.quantity},true`,
        )
        if (lines.length === 0) await fitmentImports.deactivate(db, acme, systems.at())
        else await importFitmentText(db, ['sku,year,make,model,quantity,universal', ...lines, ''].join('\n'))
      }
      async function compare(): Promise<void> {
        await copy(1_000)
        await follow()
        const database = openMirrorForReading(path)!
        const engine = createSearchEngine(database, { reuseMs: 0 })
        const skuOf = database.prepare('SELECT sku FROM products WHERE id = ?')
        const search = (request: Partial<SearchRequest>) =>
          engine
            .search({ limit: 50, offset: 0, ...request })
            .ids.map((id) => (skuOf.get(id) as { sku: string }).sku)
            .sort()
        const [vehicles, ofNumber] = [createVehicleReader(database), createNumberReader(database)]
        const models = [...new Set(fits.map(({ model }) => model))].filter(Boolean).sort()
        const facet = vehicles.vehicleFacet({ facet: 'model', year: 2010, make: 'make' })
        expect(facet.map(({ value }) => value)).to.deep.equal(models)
        for (const [name, isActive] of active) {
          const own = isActive ? fits.filter((row) => row.sku === name) : []
          const page = vehicles.fitments(name, { limit: 50, offset: 0 })
          expect(page === null).to.equal(!isActive)
          const found = (page?.fitments ?? []).map(({ model, quantity }) => `${model} ${quantity}`)
          const fitting = own.filter(({ model }) => model).map(({ model, quantity }) => `${model} ${quantity}`)
          expect(found.sort()).to.deep.equal(fitting.sort())
          expect(page?.universal ?? false).to.equal(own.some(({ model }) => model === ''))
        }
        for (const { value, vehicle_id } of facet) {
          const skus = [...active.keys()]
          const expected = skus.filter(
            (name) => active.get(name) && fits.some((row) => row.sku === name && (row.model === value || !row.model)),
          )
          const on = vehicles.fitmentsOn(vehicle_id!, skus)
          expect(skus.filter((_, at) => on[at] !== null)).to.deep.equal(expected)
          expect(search({ vehicleId: vehicle_id! })).to.deep.equal(expected.sort())
        }
        for (const number of ['n-1', 'n-2', 'n-3'])
          for (const customer of [null, 'C-1', 'C-2']) {
            const expected = numbers
              .filter((row) => row.number === number && active.get(row.sku))
              .filter((row) => row.customer === '' || row.customer === customer)
            const skus = [...new Set(expected.map((row) => row.sku))].sort()
            const matches = ofNumber.productsByNumber(number.replace('-', '').toUpperCase(), customer)
            expect([...new Set(matches.map((match) => match.sku))].sort()).to.deep.equal(skus)
            expect(search({ q: number, customerId: customer })).to.deep.equal(skus)
            for (const name of active.keys()) {
              const detail = ofNumber.references(name, customer).references.map((row) => row.number)
              expect(detail.includes(number)).to.equal(skus.includes(name))
            }
          }
        for (const word of ['ceramic', 'silent']) {
          const expected = texts.filter((row) => row.word === word && active.get(row.sku)).map((row) => row.sku)
          expect(search({ q: word })).to.deep.equal(expected.sort())
        }
        database.close()
      }
      try {
        await fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
            for (const one of steps) await run(one)
            systems.now += 1_000
            await compare()
          }),
          { numRuns: 12, endOnFailure: true },
        )
      } finally {
        await threads[Symbol.asyncDispose]()
      }
    })
  })
}
