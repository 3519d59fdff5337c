import { expect } from 'chai'
import fc from 'fast-check'
import { openMirrorForReading } from '../../../src/catalog/mirror/file/mirror-file.ts'
import type { ProductNumber } from '../../../src/catalog/mirror/file/mirror-row.ts'
import { createNumberReader } from '../../../src/catalog/mirror/read/product-number-reader.ts'
import type { Database } from '../../../src/storage/database.ts'
import { listReferencesAfterSku } from '../../../src/storage/references/imported-reference-copy-queries.ts'
import { referenceImports } from '../../../src/storage/references/reference-imports.ts'
import { createImportedReferencePort } from '../../../src/upstream/readers/imported-reference-port.ts'
import { importReferenceText } from '../../support/import-reference-text.ts'
import { stores } from '../../support/stores.ts'
import { toRow } from '../mirror-rows.ts'
import { openTestMirror } from '../test-mirror.ts'

const tenant = { merchant: 'acme', mode: 'sandbox' } as const
const SKUS = ['A-1', 'B-2', 'C-3', 'D-4', 'E-5']
const reference = fc.record({
  sku: fc.constantFrom(...SKUS),
  kind: fc.constantFrom('OEM', 'CROSS', 'SUPERSEDES', 'SUPERSEDED_BY', 'CUSTOMER'),
  brand: fc.constantFrom('', 'Bosch', 'Denso'),
  number: fc.constantFrom('A-1', 'b2', 'C3', 'N-1', 'n 2', 'N3'),
  customer: fc.constantFrom('C-1', 'C-2'),
})

describe('numbers in a mirror file', () => {
  const [store] = stores()
  let db: Database
  beforeEach(async () => {
    db = await store!.open()
  })
  afterEach(() => store!.close())

  it('are those of the import', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(reference, { minLength: 1, maxLength: 20 }), async (references) => {
        // Each product has a reference: the import knows the SKUs of such products only, the mirror knows all.
        const all = [
          ...SKUS.map((sku) => ({ sku, kind: 'OEM', brand: 'Own', number: `own ${sku}`, customer: '' })),
          ...references.filter(
            ({ sku, number }) => sku.replaceAll('-', '') !== number.replace(/[- ]/g, '').toUpperCase(),
          ),
        ]
        const rows = all.map(({ sku, brand, number, kind, customer }) =>
          [sku, brand, number, kind, kind === 'CUSTOMER' ? customer : ''].join(','),
        )
        const { bad } = await importReferenceText(db, ['sku,brand,number,kind,customer', ...rows, ''].join('\n'))
        expect(bad).to.deep.equal([])
        const importId = (await referenceImports.findCurrent(db, tenant))!.import_id
        using mirror = openTestMirror()
        const stored = await listReferencesAfterSku(db, importId, '', 1_000)
        mirror.write(
          SKUS.map((sku) =>
            toRow(sku, {
              references: stored
                .filter((row) => row.sku === sku)
                .map(({ kind, brand, number, customer_id }): ProductNumber => {
                  return { kind, number, brand: brand || null, customer_id: customer_id || null }
                }),
            }),
          ),
        )
        const database = openMirrorForReading(mirror.path)!
        const [reader, port] = [createNumberReader(database), createImportedReferencePort(db, tenant)]
        try {
          for (const customer of [null, 'C-1', 'C-2']) {
            for (const sku of SKUS) {
              const [actual, expected] = [reader.references(sku, customer), await port.ofSku(importId, sku, customer)]
              expect({ ...actual, related: sorted(actual.related) }).to.deep.equal({
                ...expected,
                related: sorted(expected.related),
              })
            }
            for (const number of ['A1', 'B2', 'N1', 'N2', 'X9'])
              expect(sorted(reader.productsByNumber(number, customer))).to.deep.equal(
                sorted(await port.byNumber(importId, number, customer)),
              )
          }
        } finally {
          database.close()
        }
      }),
      { numRuns: 25 },
    )
  })

  it('are found among a hundred thousand rows of the same number without reading them all', () => {
    using mirror = openTestMirror()
    const own = { kind: 'CUSTOMER' as const, brand: null, number: 'N/A', customer_id: 'C-9' }
    const oem = { kind: 'OEM' as const, brand: null, number: 'N/A', customer_id: null }
    mirror.write(Array.from({ length: 5_000 }, (_, at) => toRow(`S-${at}`, { references: [oem] })))
    mirror.write([toRow('OWN', { references: [own] })])
    const database = openMirrorForReading(mirror.path)!
    const reader = createNumberReader(database)
    const found = reader.productsByNumber('NA', 'C-9')
    expect(found).to.have.length(51)
    expect(found[0]).to.deep.equal({ sku: 'OWN', kind: 'CUSTOMER', brand: null, number: 'N/A' })
    expect(reader.references('S-1', null).related).to.have.length(10)
    database.close()
  })
})

const sorted = <T>(list: readonly T[]): T[] => list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
