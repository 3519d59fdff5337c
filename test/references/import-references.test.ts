import { expect } from 'chai'
import { ImportInProgressError } from '../../src/imports/import-lease.ts'
import type { Database } from '../../src/storage/database.ts'
import { referenceImports } from '../../src/storage/references/reference-imports.ts'
import { pruneExpired } from '../../src/storage/retention/prune-expired.ts'
import { importReferenceText } from '../support/import-reference-text.ts'
import { stores } from '../support/stores.ts'

const tenant = { merchant: 'acme', mode: 'sandbox' } as const
const HEAD = 'sku,brand,number,kind,customer'
const lines = (...rows: string[]) => `${HEAD}\n${rows.join('\n')}\n`

for (const store of stores()) {
  describe(`importing references over ${store.name}`, () => {
    let db: Database

    beforeEach(async () => {
      db = await store.open()
    })
    afterEach(() => store.close())

    const current = async () => (await referenceImports.findCurrent(db, tenant)) ?? null
    const numbers = async () => {
      const import_id = (await current())?.import_id ?? 0
      const rows = await db
        .selectFrom('product_references')
        .select('number')
        .where('import_id', '=', import_id)
        .orderBy('number')
        .execute()
      return rows.map(({ number }) => number)
    }
    const rowsLeft = async () =>
      (await db.selectFrom('product_references').select(db.fn.countAll<number>().as('count')).executeTakeFirstOrThrow())
        .count

    it('stores each reference with its keys, and counts them', async () => {
      const text = lines(
        'BP-1001,Toyota,04465-02220,OEM,',
        'BP-1001,Toyota,04465 02220,oem,',
        'BP-1001,,bp-0991,supersedes,',
        'BP-1002,,GARAGE-1,CUSTOMER,C-1001',
        'BP-1002,,GARAGE-1,CUSTOMER,C-1002',
      )
      const report = await importReferenceText(db, text)
      expect([report.outcome, report.duplicateLines, report.bad]).to.deep.equal(['imported', 1, []])
      expect(report.counts).to.deep.equal({ references: 4, skus: 2, customers: 2, descriptions: 0 })
      const row = await db
        .selectFrom('product_references')
        .selectAll()
        .where('kind', '=', 'OEM')
        .executeTakeFirstOrThrow()
      expect(row).to.deep.include({
        sku: 'BP-1001',
        sku_key: 'BP1001',
        number: '04465-02220',
        number_key: '0446502220',
      })
      expect(row).to.deep.include({ brand: 'Toyota', brand_key: 'TOYOTA', customer_id: '' })
    })

    it('reports every mistake with its line and column, and changes nothing', async () => {
      await importReferenceText(db, lines('A,,1,OEM,'))
      const text = lines(
        ',,1,OEM,',
        'A,,,OEM,',
        'A,,--,OEM,',
        'A,,2,MAKER,',
        'A,,2,,',
        'A,,2,CUSTOMER,',
        'A,,2,OEM,C-1',
        'A-1,,a1,SUPERSEDES,',
        'A,,2',
        `A,,${'9'.repeat(129)},OEM,`,
        'A,,2\u0001,OEM,',
        'GOOD,,2,OEM,',
      )
      const { outcome, bad } = await importReferenceText(db, text)
      expect(outcome).to.equal('refused')
      expect(bad).to.deep.equal([
        { line: 2, mistake: 'has no sku' },
        { line: 3, mistake: 'has no number' },
        { line: 4, mistake: 'number "--" has no letter or digit' },
        { line: 5, mistake: 'kind "MAKER" is none of OEM, CROSS, SUPERSEDES, SUPERSEDED_BY, CUSTOMER' },
        { line: 6, mistake: 'has no kind' },
        { line: 7, mistake: 'has no customer, which a CUSTOMER number needs' },
        { line: 8, mistake: 'customer must be empty: only a CUSTOMER number belongs to one, not OEM' },
        { line: 9, mistake: 'number "a1" is the SKU itself: a product cannot replace itself' },
        { line: 10, mistake: 'has 3 fields, but the header line has 5' },
        { line: 11, mistake: 'number is longer than 128 characters' },
        { line: 12, mistake: 'number contains a control character' },
      ])
      expect(await numbers()).to.deep.equal(['1'])
      const skipped = await importReferenceText(db, text, { skipBad: true })
      expect([skipped.outcome, await numbers()]).to.deep.equal(['imported', ['2']])
    })

    it('refuses a file without its columns, and an empty one', async () => {
      for (const [text, mistake] of [
        ['sku,brand\nA,B\n', 'the header line has no column number, kind'],
        ['', 'the file is empty'],
        ['sku,number,kind,SKU\nA,1,OEM,A\n', 'the header line has sku twice'],
      ] as const) {
        const { outcome, bad } = await importReferenceText(db, text)
        expect([outcome, bad[0]?.mistake]).to.deep.equal(['refused', mistake])
      }
      expect((await importReferenceText(db, `${HEAD}\n`)).outcome).to.equal('refused')
      expect(await current()).to.equal(null)
    })

    it('checks a file without writing', async () => {
      const { outcome, counts } = await importReferenceText(db, lines('A,,1,OEM,'), { dryRun: true })
      expect([outcome, counts.references, await current(), await rowsLeft()]).to.deep.equal(['checked', 1, null, 0])
    })

    it('replaces an import at once, and prunes the rows of the former one', async () => {
      const many = lines(...Array.from({ length: 1_200 }, (_, at) => `SKU-${at},,OLD-${at},CROSS,`))
      await importReferenceText(db, many)
      expect((await numbers()).length).to.equal(1_200)
      await importReferenceText(db, lines('A,,NEW,OEM,'))
      expect(await numbers()).to.deep.equal(['NEW'])
      await pruneExpired(db, Date.now() + 120_000)
      expect([await numbers(), await rowsLeft()]).to.deep.equal([['NEW'], 1])
    })

    it('keeps the current import when it stops in the middle, and refuses a second one meanwhile', async () => {
      await importReferenceText(db, lines('A,,1,OEM,'))
      const stop = new AbortController()
      const reached = Promise.withResolvers<void>()
      const release = Promise.withResolvers<void>()
      async function* half() {
        yield Buffer.from(lines(...Array.from({ length: 1_500 }, (_, at) => `SKU-${at},,N-${at},CROSS,`)))
        reached.resolve()
        await release.promise
        yield Buffer.from('B,,2,OEM,\n')
      }
      const first = importReferenceText(db, half(), { signal: stop.signal }).catch((error: Error) => error.message)
      await reached.promise
      const second = await importReferenceText(db, lines('C,,3,OEM,')).catch((error: unknown) => error)
      expect(second).to.be.instanceOf(ImportInProgressError)
      stop.abort(new Error('interrupted'))
      release.resolve()
      expect(await first).to.equal('interrupted')
      expect(await numbers()).to.deep.equal(['1'])
      expect((await importReferenceText(db, lines('C,,3,OEM,'))).outcome).to.equal('imported')
    })
  })
}
