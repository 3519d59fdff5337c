import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { type DescriptionChoice, defaultDescriptionChoice } from '../../src/references/pies/item-descriptions.ts'
import { createPiesFormat, defaultInterchangeKinds } from '../../src/references/pies/pies-format.ts'
import type { Database } from '../../src/storage/database.ts'
import { prunedImports, pruneImports } from '../../src/storage/imports/prune-imports.ts'
import { referenceImports } from '../../src/storage/references/reference-imports.ts'
import { importReferenceText } from '../support/import-reference-text.ts'
import { stores } from '../support/stores.ts'

const FIXTURE = join(import.meta.dirname, '../../fixtures/pies/brake-parts.xml')
const tenant = { merchant: 'acme', mode: 'sandbox' } as const
const item = (interchanges: string, attributes = '') =>
  `<Item ${attributes}><PartNumber>A</PartNumber><PartInterchangeInfo>${interchanges}</PartInterchangeInfo></Item>`
const pies = (...items: string[]) => `<PIES>\n<Items>\n${items.join('\n')}\n</Items>\n</PIES>`
const NUMBER = '<PartInterchange><TypeCode>O</TypeCode><PartNumber>1-2</PartNumber></PartInterchange>'

for (const store of stores()) {
  describe(`importing a PIES file over ${store.name}`, () => {
    let db: Database

    beforeEach(async () => {
      db = await store.open()
    })
    afterEach(() => store.close())

    async function bring(
      bytes: string | AsyncIterable<Uint8Array>,
      kinds = defaultInterchangeKinds,
      choice?: DescriptionChoice,
    ) {
      const format = createPiesFormat(kinds, choice)
      const report = await importReferenceText(db, bytes, { format })
      return { ...report, interchanges: format.listInterchanges(), descriptions: format.listDescriptions() }
    }
    async function descriptionRows() {
      const { import_id } = (await referenceImports.findCurrent(db, tenant)) ?? { import_id: 0 }
      const found = await db
        .selectFrom('product_descriptions')
        .select(['sku', 'description'])
        .where('import_id', '=', import_id)
        .orderBy('sku')
        .execute()
      return Object.fromEntries(found.map(({ sku, description }) => [sku, description]))
    }
    async function rows() {
      const { import_id } = (await referenceImports.findCurrent(db, tenant)) ?? { import_id: 0 }
      const found = await db
        .selectFrom('product_references')
        .select(['sku', 'kind', 'brand', 'number'])
        .where('import_id', '=', import_id)
        .execute()
      return found.map(({ sku, kind, brand, number }) => [sku, kind, brand, number].join(' | ')).sort()
    }

    it('imports the interchanges of each item, and says which codes it does not know', async () => {
      const { outcome, bad, counts, unused, interchanges } = await bring(createReadStream(FIXTURE))
      expect([outcome, bad]).to.deep.equal(['imported', []])
      expect(counts).to.deep.equal({ references: 4, skus: 2, customers: 0, descriptions: 2 })
      expect(unused).to.deep.equal(['DigitalAssets'])
      expect(interchanges).to.deep.equal([
        { code: 'O', kind: 'OEM', count: 2, isAssumed: false },
        { code: 'X', kind: 'CROSS', count: 1, isAssumed: true },
        { code: 'S', kind: 'CROSS', count: 1, isAssumed: true },
      ])
      expect(await rows()).to.deep.equal([
        'BP-1001 | CROSS | Orizon Parts | BP-0900',
        'BP-1001 | CROSS | ZZZB | 0 986 494 153',
        'BP-1001 | OEM | Honda | 45022-T0A-A00',
        'BP-1001 | OEM | Honda | 45022-T0A-A01',
      ])
    })

    it('imports a code as what the merchant says it means', async () => {
      await bring(createReadStream(FIXTURE), { ...defaultInterchangeKinds, S: 'SUPERSEDES' })
      expect(await rows()).to.include('BP-1001 | SUPERSEDES | Orizon Parts | BP-0900')
    })

    const text = (code: string, content: string, attributes = '') =>
      `<Description DescriptionCode="${code}" ${attributes}>${content}</Description>`
    const described = (sku: string, ...texts: string[]) =>
      `<Item><PartNumber>${sku}</PartNumber><Descriptions>${texts.join('')}</Descriptions></Item>`

    it('imports one description of each item: the first of the codes, in one language', async () => {
      const { descriptions } = await bring(createReadStream(FIXTURE))
      expect(await descriptionRows()).to.deep.equal({
        'BP-1001': 'Brake pad set, front, heavy duty',
        'BP-1002': 'Brake pad set',
      })
      expect(descriptions).to.deep.equal([
        { code: 'DES', language: 'en', count: 2, isChosen: true },
        { code: 'EXT', language: 'en', count: 1, isChosen: true },
      ])
      const file = pies(
        described(
          'A',
          text('SHO', 'Pad'),
          text('MKT', 'Stops  well.\nLasts.', 'LanguageCode="EN"'),
          text('DES', 'Pad set'),
        ),
        described('B', text('FAB', 'Quiet'), text('DES', 'Plaquette', 'LanguageCode="fr"')),
        described(
          'C',
          text('EXT', 'two', 'Sequence="2"'),
          text('EXT', 'one &lt;1&gt;', 'Sequence="1"'),
          text('DES', '  '),
        ),
        described('A', text('DES', 'The second description of A')),
      )
      const chosen = await bring(file)
      expect([chosen.outcome, chosen.bad, chosen.counts]).to.deep.equal([
        'imported',
        [],
        { references: 0, skus: 2, customers: 0, descriptions: 2 },
      ])
      expect(await descriptionRows()).to.deep.equal({ A: 'Stops  well.\nLasts.', C: 'one <1>\ntwo' })
      await bring(file, defaultInterchangeKinds, { codes: ['FAB', 'DES'], language: 'fr' })
      expect(await descriptionRows(), 'a text without a language may be in any').to.deep.equal({
        A: 'Pad set',
        B: 'Quiet',
      })
      await bring(file, defaultInterchangeKinds, { ...defaultDescriptionChoice, language: 'fr' })
      expect(await descriptionRows()).to.deep.equal({ A: 'Pad set', B: 'Plaquette', C: 'one <1>\ntwo' })
    })

    it('leaves no description of an import that an earlier release has pruned, which knows no descriptions', async () => {
      const steps = async () => {
        const deleted: number[] = []
        do deleted.push(await pruneImports(db, prunedImports[1]!, Date.now() + 120_000, 3))
        while (deleted.at(-1)! > 0)
        return deleted
      }
      await bring(pies(...Array.from({ length: 7 }, (_, at) => described(`SKU-${at}`, text('DES', 'Pad')))))
      const former = (await referenceImports.findCurrent(db, tenant))!
      await bring(pies(described('A', text('DES', 'Pad set'))))
      await db.deleteFrom('reference_imports').where('import_id', '=', former.import_id).execute()
      expect(await steps()).to.deep.equal([3, 3, 1, 0])
      const left = await db.selectFrom('product_descriptions').select(['sku', 'description']).execute()
      expect([left, await descriptionRows()]).to.deep.equal([[{ sku: 'A', description: 'Pad set' }], { A: 'Pad set' }])
    })

    it('takes the language of the header for descriptions that name none', async () => {
      const file = `<PIES><Header><LanguageCode>FR</LanguageCode></Header><Items>${described('A', text('DES', 'Plaquette'))}${item(NUMBER)}</Items></PIES>`
      const { descriptions } = await bring(file)
      expect([await descriptionRows(), descriptions]).to.deep.equal([
        {},
        [{ code: 'DES', language: 'fr', count: 1, isChosen: false }],
      ])
    })

    it('reports each bad description with its line', async () => {
      const { outcome, bad } = await bring(
        pies(
          described('A', text('DES', 'x'.repeat(10_001))),
          described('B', text('DES', 'Pad', 'MaintenanceType="D"')),
          described('', text('DES', 'Pad')),
          described('D', text('DES', 'Pad')),
        ),
      )
      expect([outcome, bad]).to.deep.equal([
        'refused',
        [
          { line: 3, mistake: 'Description is longer than 10000 characters' },
          { line: 4, mistake: 'deletes a record, but an import replaces everything: leave it out of the file' },
          { line: 5, mistake: 'has no sku' },
        ],
      ])
    })

    it('reports each bad interchange with its line', async () => {
      const { outcome, bad } = await bring(
        pies(
          item('<PartInterchange><TypeCode>O</TypeCode></PartInterchange>'),
          item('<PartInterchange><PartNumber>--</PartNumber></PartInterchange>'),
          item(NUMBER, 'MaintenanceType="D"'),
          `<Item><PartInterchangeInfo>${NUMBER}</PartInterchangeInfo></Item>`,
          item(NUMBER),
        ),
      )
      expect([outcome, bad]).to.deep.equal([
        'refused',
        [
          { line: 3, mistake: 'PartInterchange has no PartNumber' },
          { line: 4, mistake: 'number "--" has no letter or digit' },
          { line: 5, mistake: 'deletes a record, but an import replaces everything: leave it out of the file' },
          { line: 6, mistake: 'has no sku' },
        ],
      ])
    })

    it('changes nothing for a file that is truncated, counts wrong, has only changes or no interchange', async () => {
      await importReferenceText(db, 'sku,number,kind\nOLD,1,OEM\n')
      const whole = pies(item(NUMBER))
      for (const text of [
        whole.slice(0, -12),
        whole.replace('</PIES>', '<Trailer><ItemCount>9</ItemCount></Trailer></PIES>'),
        whole.replace('<Items>', '<Header><SubmissionType>UPDATE</SubmissionType></Header><Items>'),
        pies('<Item><PartNumber>A</PartNumber></Item>'),
        '<ACES/>',
        '<PIES/>',
      ])
        expect((await bring(text)).outcome, text).to.equal('refused')
      expect(await rows()).to.deep.equal(['OLD | OEM |  | 1'])
    })
  })
}
