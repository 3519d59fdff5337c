import { expect } from 'chai'
import { ImportInProgressError } from '../../src/imports/import-lease.ts'
import type { Database } from '../../src/storage/database.ts'
import { fitmentImports } from '../../src/storage/fitment/fitment-imports.ts'
import { pruneExpired } from '../../src/storage/retention/prune-expired.ts'
import { createImportedFitmentPort } from '../../src/upstream/readers/imported-fitment-port.ts'
import { importFitmentText } from '../support/import-fitment-text.ts'
import { stores } from '../support/stores.ts'
import { toByteChunks } from '../support/to-byte-chunks.ts'

const acmeLive = { merchant: 'acme', mode: 'live' } as const
const HEAD = 'sku,year,make,model,submodel,engine,market,vehicle_id,positions,quantity,notes,qualifiers,universal'
const PADS = `${HEAD}
PAD-1,2014-2016,Toyota,Corolla,LE,1.8L I4,JM,,Front Left|Front Right,2,Not the hatchback,ABS:with ABS|4 doors,
PAD-2,2015,toyota,COROLLA,le,1.8l i4,jm,,,,,,
PAD-2,2015,Honda,Fit,,,US,77,,,,,no
OIL,,,,,,,,,1,,,yes
`
const NOTHING = { positions: [], quantity: null, notes: null, qualifiers: [] }
const tenant = { merchant: 'acme', mode: 'sandbox' } as const
const call = { signal: new AbortController().signal, timeoutMs: () => 1_000, requestId: 'test' }

for (const store of stores()) {
  describe(`importing vehicle fitment over ${store.name}`, () => {
    let db: Database

    beforeEach(async () => {
      db = await store.open()
    })
    afterEach(() => store.close())

    const port = () => createImportedFitmentPort(db, tenant)
    const models = (year: number, make: string, market?: string) =>
      port().vehicleFacet({ facet: 'model', year, make, ...(market && { market }) }, call)
    const corolla = async () => (await models(2015, 'TOYOTA'))[0]!.vehicle_id!
    const skusOf = async (id: number) => (await port().vehicle(id, call))?.parts.map(({ sku }) => sku)
    const rowsLeft = async () =>
      (await db.selectFrom('fitments').select(db.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count

    it('serves years, makes, models, the parts of a vehicle and the vehicles of a SKU', async () => {
      const { outcome, counts } = await importFitmentText(db, PADS)
      expect([outcome, counts]).to.deep.equal(['imported', { vehicles: 4, skus: 3, fitments: 5, universal: 1 }])
      const years = await port().vehicleFacet({ facet: 'year' }, call)
      expect(years.map(({ value, count }) => [value, count])).to.deep.equal([
        ['2016', 1],
        ['2015', 2],
        ['2014', 1],
      ])
      expect(await port().vehicleFacet({ facet: 'year', market: 'US' }, call)).to.have.lengthOf(1)
      const makes = await port().vehicleFacet({ facet: 'make', year: 2015 }, call)
      expect(makes.map(({ value }) => value)).to.deep.equal(['Honda', 'Toyota'])
      expect(await models(2015, 'honda')).to.deep.equal([
        {
          value: 'Fit',
          label: 'Fit',
          count: 1,
          vehicle_id: 77,
          variants: [{ vehicle_id: 77, submodel: null, engine: null, market: 'US' }],
        },
      ])
      const id = await corolla()
      const vehicle = { vehicle_id: id, year: 2015, make: 'Toyota', model: 'Corolla', market: 'JM' }
      const fitment = {
        positions: ['Front Left', 'Front Right'],
        quantity: 2,
        notes: 'Not the hatchback',
        qualifiers: [
          { code: 'ABS', text: 'with ABS' },
          { code: 'NOTE', text: '4 doors' },
        ],
      }
      expect(await port().vehicle(id, call)).to.deep.equal({
        vehicle: { ...vehicle, submodel: 'LE', engine: '1.8L I4' },
        parts: [
          { sku: 'PAD-1', fitment: { ...fitment, universal: false } },
          { sku: 'PAD-2', fitment: { ...NOTHING, universal: false } },
          { sku: 'OIL', fitment: { ...NOTHING, quantity: 1, universal: true } },
        ],
        isComplete: true,
      })
      const fits = await port().fitments('PAD-1', { limit: 2, offset: 0 }, call)
      expect([fits?.universal, fits?.total, fits?.has_more]).to.deep.equal([false, 3, true])
      expect(fits?.fitments.map(({ year }) => year)).to.deep.equal([2016, 2015])
      expect(fits?.fitments[1]).to.deep.equal({ ...vehicle, submodel: 'LE', engine: '1.8L I4', ...fitment })
      const oil = await port().fitments('OIL', { limit: 2, offset: 0 }, call)
      expect(oil).to.deep.equal({ universal: true, fitments: [], total: 0, has_more: false })
      expect(await port().fitments('PAD', { limit: 2, offset: 0 }, call)).to.equal(null)
      expect(await port().vehicle(78, call)).to.equal(null)
      expect(await createImportedFitmentPort(db, acmeLive).vehicleFacet({ facet: 'year' }, call)).to.deep.equal([])
    })

    it('marks a part that is universal and also has a fitment of its own', async () => {
      await importFitmentText(db, `${HEAD}\nA,2015,Kia,Rio,,,,5,Front,,,,\nA,,,,,,,,,9,,,yes\n`)
      const found = await port().vehicle(5, call)
      expect(found?.parts).to.deep.equal([{ sku: 'A', fitment: { ...NOTHING, positions: ['Front'], universal: true } }])
      expect(
        await port().vehicleFacet({ facet: 'make', year: 2015, market: 'JM' }, call),
        'of any market',
      ).to.have.lengthOf(1)
    })

    it('finds makes and markets regardless of case and Unicode form', async () => {
      const line = 'A,2015,\u0160koda,Fabia,,,jm,,,,,,'
      await importFitmentText(db, `${HEAD}\n${line}\n`)
      const facet = (facet: 'year' | 'make', market: string) =>
        port().vehicleFacet(facet === 'year' ? { facet, market } : { facet, market, year: 2015 }, call)
      for (const market of ['JM', 'jm']) {
        expect(await facet('year', market), market).to.have.lengthOf(1)
        expect(await facet('make', market), market).to.have.lengthOf(1)
        expect(await models(2015, 'S\u030cKODA', market), market).to.have.lengthOf(1)
      }
      expect(await facet('make', 'US')).to.deep.equal([])
    })

    it('finds nothing for a name with a NUL character', async () => {
      await importFitmentText(db, PADS)
      expect(await models(2015, 'Ki\0a')).to.deep.equal([])
      expect(await models(2015, 'Toyota', '\0')).to.deep.equal([])
      expect(await port().vehicleFacet({ facet: 'year', market: 'J\0' }, call)).to.deep.equal([])
    })

    it('replaces the first file with the second, under the same vehicle ids', async () => {
      await importFitmentText(db, PADS)
      const id = await corolla()
      await importFitmentText(db, `${HEAD}\nNEW,2014-2016,TOYOTA,Corolla,LE,1.8L I4,JM,,,,,,\n`)
      expect([await corolla(), await skusOf(id), await skusOf(77)]).to.deep.equal([id, ['NEW'], undefined])
      await importFitmentText(db, PADS)
      expect(await skusOf(id)).to.deep.equal(['PAD-1', 'PAD-2', 'OIL'])
    })

    it('finds a vehicle by its generated id after a file gave it another one', async () => {
      await importFitmentText(db, PADS)
      const id = await corolla()
      await importFitmentText(db, `${HEAD}\nNEW,2015,Toyota,Corolla,LE,1.8L I4,JM,12,,,,,\n`)
      expect((await port().vehicle(id, call))?.vehicle.vehicle_id).to.equal(12)
      expect(await corolla()).to.equal(12)
    })

    it('generates the same ids in another store', async () => {
      await importFitmentText(db, PADS)
      const id = await corolla()
      db = await store.open()
      await importFitmentText(
        db,
        PADS.split('\n').toReversed().join('\n').replace(/^\n/, '').replace(HEAD, '').replace(/^/, `${HEAD}\n`),
      )
      expect(await corolla()).to.equal(id)
    })

    it('refuses a file with a bad line, or skips the line on request', async () => {
      await importFitmentText(db, PADS)
      const before = await fitmentImports.findCurrent(db, tenant)
      const spoiled = `${HEAD}\nA,20I4,Kia,Rio,,,,,,,,,\nB,2014,Kia,Rio,,,,,,,,,\n`
      const refused = await importFitmentText(db, spoiled)
      expect(refused.outcome).to.equal('refused')
      expect(refused.bad).to.deep.equal([
        { line: 2, mistake: 'year "20I4" is not a year from 1900 to 2100, or a range of them' },
      ])
      expect(await fitmentImports.findCurrent(db, tenant)).to.deep.equal(before)
      const { outcome, counts } = await importFitmentText(db, spoiled, { skipBad: true })
      expect([outcome, counts.fitments]).to.deep.equal(['imported', 1])
    })

    it('writes nothing in a dry run, and reports the counts', async () => {
      const { outcome, counts } = await importFitmentText(db, PADS, { dryRun: true })
      expect([outcome, counts.fitments, await rowsLeft(), await fitmentImports.findCurrent(db, tenant)]).to.deep.equal([
        ...['checked', 5, 0],
        undefined,
      ])
    })

    it('keeps the old import when reading fails, and prunes the partial one later', async () => {
      await importFitmentText(db, PADS)
      const before = await rowsLeft()
      async function* failing() {
        yield* toByteChunks(`${HEAD}\n`)
        for (let at = 0; at < 3_000; at++) yield Buffer.from(`S-${at},2014,Kia,Rio,,,,,,,,,\n`)
        throw new Error('the disk is gone')
      }
      const failure = await importFitmentText(db, failing()).catch((error: Error) => error.message)
      expect(failure).to.equal('the disk is gone')
      expect(await skusOf(await corolla())).to.deep.equal(['PAD-1', 'PAD-2', 'OIL'])
      expect(await rowsLeft()).to.be.above(before)
      await pruneExpired(db, Date.now() + 61_000)
      expect(await rowsLeft()).to.equal(before)
      expect((await importFitmentText(db, PADS)).outcome, 'the next').to.equal('imported')
    })

    it('stops between two lines when aborted', async () => {
      await importFitmentText(db, PADS)
      const stop = new AbortController()
      async function* endless() {
        yield* toByteChunks(`${HEAD}\n`)
        for (let at = 0; ; at++) {
          if (at === 5_000) stop.abort(new Error('stopped'))
          yield Buffer.from(`S-${at},2014,Kia,Rio,,,,,,,,,\n`)
        }
      }
      const failure = await importFitmentText(db, endless(), { signal: stop.signal }).catch(
        (error: Error) => error.message,
      )
      expect(failure).to.equal('stopped')
      expect(await skusOf(await corolla())).to.deep.equal(['PAD-1', 'PAD-2', 'OIL'])
    })

    it('refuses a concurrent import of the same tenant only', async () => {
      const { promise: wait, resolve: go } = Promise.withResolvers<void>()
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
      async function* slow() {
        yield* toByteChunks(`${HEAD}\nA,2014,Kia,Rio,,,,,,,,,\n`)
        begin()
        await wait
      }
      const first = importFitmentText(db, slow())
      await begun
      const second = await importFitmentText(db, PADS).catch((error: unknown) => error)
      expect(second).to.be.instanceOf(ImportInProgressError)
      expect((await importFitmentText(db, PADS, { mode: 'live' })).outcome).to.equal('imported')
      go()
      expect((await first).outcome).to.equal('imported')
      expect(await models(2014, 'kia')).to.have.lengthOf(1)
    })

    it('abandons an import that stalled until another one replaced it', async () => {
      let later = 0
      const { promise: wait, resolve: go } = Promise.withResolvers<void>()
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
      async function* stalled() {
        yield* toByteChunks(`${HEAD}\nA,2014,Kia,Rio,,,,,,,,,\n`)
        begin()
        await wait
      }
      const first = importFitmentText(db, stalled(), { now: () => Date.now() + later })
      await begun
      const second = await importFitmentText(db, PADS, { now: () => Date.now() + 31_000 })
      expect(second.outcome).to.equal('imported')
      later = 31_000
      go()
      const ended = await first.catch((error: unknown) => error)
      if (!(ended instanceof ImportInProgressError)) expect(ended).to.include({ outcome: 'overtaken' })
      expect(await skusOf(await corolla())).to.deep.equal(['PAD-1', 'PAD-2', 'OIL'])
    })

    it('prunes the previous import after a while', async () => {
      await importFitmentText(db, PADS)
      await importFitmentText(db, PADS)
      const later = Date.now() + 61_000
      await pruneExpired(db, later)
      await pruneExpired(db, later)
      expect([await rowsLeft(), await db.selectFrom('fitment_imports').selectAll().execute()]).to.satisfy(
        ([rows, imports]: [number, unknown[]]) => rows === 6 && imports.length === 1,
      )
    })
  })
}
