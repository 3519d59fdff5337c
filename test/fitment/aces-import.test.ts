import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { createAcesFormat } from '../../src/fitment/aces/aces-format.ts'
import { NO_VEHICLE_NAMES, readVehicleNames } from '../../src/fitment/aces/vehicle-names.ts'
import type { Database } from '../../src/storage/database.ts'
import { fitmentImports } from '../../src/storage/fitment/fitment-imports.ts'
import { importFitmentText } from '../support/import-fitment-text.ts'
import { stores } from '../support/stores.ts'

const folder = join(import.meta.dirname, '../../fixtures/aces')
const tenant = { merchant: 'acme', mode: 'sandbox' } as const
const NONE = { positions: [], quantity: null, notes: null, qualifiers: [] }
const app = (content: string, attributes = 'action="A"') => `<App ${attributes}>${content}</App>`
const aces = (...content: string[]) => `<ACES version="4.1">\n${content.join('\n')}\n</ACES>`
const KIA = '<Years from="2014" to="2015"/><Make id="1">Kia</Make><Model id="2">Rio</Model>'

for (const store of stores()) {
  describe(`importing an ACES file over ${store.name}`, () => {
    let db: Database

    beforeEach(async () => {
      db = await store.open()
    })
    afterEach(() => store.close())

    async function bring(bytes: string | AsyncIterable<Uint8Array>, names = NO_VEHICLE_NAMES, skipBad = false) {
      const format = createAcesFormat({ market: 'US', names })
      const report = await importFitmentText(db, bytes, { format, combines: true, skipBad })
      return { ...report, unresolved: format.listUnresolved() }
    }
    const namesOfFixture = async () => readVehicleNames(createReadStream(join(folder, 'vehicles.csv')))
    async function rows() {
      const found = await db
        .selectFrom('fitments')
        .innerJoin('fitment_vehicles', (join) =>
          join
            .onRef('fitment_vehicles.import_id', '=', 'fitments.import_id')
            .onRef('fitment_vehicles.vehicle_id', '=', 'fitments.vehicle_id'),
        )
        .select(['sku', 'year', 'make', 'model', 'submodel', 'engine', 'market', 'fitment'])
        .where('fitments.import_id', '=', (await fitmentImports.findCurrent(db, tenant))?.import_id ?? 0)
        .orderBy('sku')
        .orderBy('year')
        .orderBy('make')
        .execute()
      return found.map(({ fitment, ...row }) => ({ ...row, ...JSON.parse(fitment) }))
    }

    it('imports applications of base vehicles and of years, makes and models', async () => {
      const file = createReadStream(join(folder, 'brake-parts.xml'))
      const { outcome, bad, counts, unused, unresolved } = await bring(file, await namesOfFixture())
      expect([outcome, bad]).to.deep.equal(['imported', []])
      expect(counts).to.deep.equal({ vehicles: 4, skus: 2, fitments: 5, universal: 0 })
      expect(unused).to.deep.equal(['Asset', 'AssetName', 'MfrLabel', 'PartType'])
      expect(unresolved).to.deep.equal([
        { element: 'DriveType', id: '9007', applications: 1 },
        { element: 'Position', id: '9030', applications: 1 },
      ])
      const toyota = { make: 'Toyota', model: 'Corolla', submodel: null, engine: null, market: 'US' }
      const driven = {
        ...NONE,
        ...toyota,
        sku: 'BP-1001',
        positions: ['Front'],
        quantity: 1,
        qualifiers: [{ code: 'DriveType', text: '9007' }],
      }
      expect(await rows()).to.deep.equal([
        { ...driven, year: 2012 },
        { ...driven, year: 2013 },
        {
          sku: 'BP-1001',
          year: 2014,
          make: 'Honda',
          model: 'CR-V',
          submodel: 'LX',
          engine: '2.4L I4',
          market: 'US',
          positions: ['Front'],
          quantity: 2,
          notes: 'Fit both sides together.',
          qualifiers: [{ code: 'QUAL-98752', text: 'With 280 mm rotor' }],
        },
        { ...driven, year: 2014 },
        {
          ...toyota,
          sku: 'BP-1002',
          year: 2012,
          positions: ['Front'],
          quantity: null,
          notes: 'quantity 1; Position 9030; Up to chassis 100200\nFront; quantity 2; From chassis 100201',
          qualifiers: [],
        },
      ])
    })

    it('reports a vehicle that only has ids, and imports the others with --skip-bad', async () => {
      const text = await readFile(join(folder, 'brake-parts.xml'), 'utf8')
      const { outcome, bad, unresolved } = await bring(text)
      expect(outcome).to.equal('refused')
      expect(bad[0]).to.deep.equal({
        line: 16,
        mistake: 'BaseVehicle "900001" is not in the vehicle file (--vehicles)',
      })
      expect(bad).to.have.lengthOf(4)
      expect(unresolved.map(({ element, id }) => [element, id])).to.deep.include.members([
        ['BaseVehicle', '900001'],
        ['Make', '9059'],
      ])
      expect(await rows()).to.deep.equal([])
      const mixed = aces(app(`${KIA}<Part>A</Part>`), app('<BaseVehicle id="5"/><Part>A</Part>'))
      expect((await bring(mixed, NO_VEHICLE_NAMES, true)).outcome).to.equal('imported')
      expect((await rows()).map(({ year }) => year)).to.deep.equal([2014, 2015])
    })

    it('reports each bad application with its line', async () => {
      const { bad } = await bring(
        aces(
          app(`${KIA}<Part>A</Part>`, 'action="D"'),
          app(`${KIA}<Qty>many</Qty><Part>A</Part>`),
          app(KIA),
          app(`${KIA}<Part>A</Part><Part>B</Part>`),
          app('<Make id="1">Kia</Make><Part>A</Part>'),
          app('<Years from="2014" to="2015"/><Make id="1">Kia</Make><Part>A</Part>'),
          app('<Years from="2015" to="2014"/><Make id="1">Kia</Make><Model id="2">Rio</Model><Part>A</Part>'),
          app('<Mfr id="9"/><EquipmentModel id="1"/><Part>A</Part>'),
          app(`${KIA}<Part>A</Part>`),
        ),
      )
      expect(bad).to.deep.equal([
        { line: 2, mistake: 'deletes an application, but an import replaces everything: leave it out of the file' },
        { line: 3, mistake: 'quantity "many" is not a number above 0, up to 999999.999' },
        { line: 4, mistake: 'has 0 Part elements, not one' },
        { line: 5, mistake: 'has 2 Part elements, not one' },
        { line: 6, mistake: 'has neither BaseVehicle nor Years' },
        { line: 7, mistake: 'has no Model' },
        { line: 8, mistake: 'year "2015-2014" ends before it starts' },
        { line: 9, mistake: 'is for equipment, which is not a vehicle' },
      ])
    })

    it('changes nothing for a file that is truncated, counts wrong, or has only changes', async () => {
      await importFitmentText(db, 'sku,year,make,model\nOLD,2014,Kia,Rio\n')
      const good = app(`${KIA}<Part>A</Part>`)
      const many = Array.from({ length: 3_000 }, (_, at) => app(`${KIA}<Part>P-${at}</Part>`)).join('\n')
      for (const [text, mistake] of [
        [`<ACES>\n${many}`, /^is not valid XML: /],
        [aces(good, '<Footer><RecordCount>2</RecordCount></Footer>'), 'RecordCount is 2, but the file has 1 records'],
        [
          aces('<Header><SubmissionType>UPDATE</SubmissionType></Header>', good),
          'is a submission of type UPDATE: an import replaces everything, so the file must be a FULL submission',
        ],
        ['<PIES/>', 'is not ACES: the root element is PIES'],
      ] as const) {
        const { outcome, bad } = await bring(text, NO_VEHICLE_NAMES, true)
        expect([outcome, bad.length]).to.deep.equal(['refused', 1])
        if (typeof mistake === 'string') expect(bad[0]!.mistake).to.equal(mistake)
        else expect(bad[0]!.mistake).to.match(mistake)
      }
      expect((await rows()).map(({ sku }) => sku)).to.deep.equal(['OLD'])
    })
  })
}
