import { expect } from 'chai'
import { referenceImports } from '../../../src/storage/references/reference-imports.ts'
import { type Api, startApi } from '../../support/api.ts'
import { describeWithAndWithoutMirror } from '../../support/describe-with-and-without-mirror.ts'
import { importReferenceText } from '../../support/import-reference-text.ts'
import { stores } from '../../support/stores.ts'
import { until } from '../../support/until.ts'

const NOTHING = { references: [], supersedes: [], superseded_by: null, alternatives: [] }
const FILE = `sku,brand,number,kind,customer
BP-1001,Honda,45022-T0A-A00,OEM,
BP-1001,Bosch,0 986 494 153,CROSS,
BP-1001,,BP-0900,SUPERSEDES,
BP-1001,,GARAGE-7,CUSTOMER,C-1001
BP-1001,,KEEPER-7,CUSTOMER,C-1002
BP-1002,Honda,45022 T0A A00,OEM,
BP-1003,Bosch,0986494153,CROSS,
BP-1004,Brembo,0986494153,CROSS,
BP-1005,,BP1001,SUPERSEDES,
BP-1010,Honda,45022T0AA00,OEM,
GONE-1,Honda,45022T0AA00,OEM,
`

for (const store of stores()) {
  describeWithAndWithoutMirror(`the references of a product, over ${store.name}`, (mirror) => {
    let api: Api
    let key: string
    let secret: string

    beforeEach(async () => {
      api = await startApi({ store: await store.createMigrated(), mirror })
      key = await api.key()
      secret = await api.key({ kind: 'secret' })
    })
    afterEach(async () => {
      await api[Symbol.asyncDispose]()
      await store.close()
    })

    const skus = ['BP-1001', 'BP-1002', 'BP-1003', 'BP-1004', 'BP-1005', 'BP-1006', 'BP-1010']
    const read = async (sku: string, headers: Record<string, string> = {}, by = key) =>
      (await api.request(`/v1/products/${sku}`, { key: by, headers })).body
    const readFor = async (sku: string, customer: string) =>
      read(sku, { 'x-storefront-shopper-token': await api.shopperToken({ customer }) }, secret)
    const referencesOf = ({ references, supersedes, superseded_by, alternatives }: typeof NOTHING) => ({
      references,
      supersedes,
      superseded_by,
      alternatives,
    })
    async function bring(text: string): Promise<void> {
      expect((await importReferenceText(api.db, text)).outcome).to.equal('imported')
      await api.fillMirror({ skus })
      await until('the server has noticed the import', async () => (await read('BP-1001')).references?.length > 0)
    }

    it('are empty while nothing is imported', async () => {
      const body = await read('BP-1001')
      expect([referencesOf(body), body.errors]).to.deep.equal([NOTHING, []])
    })

    it('are shown with alternatives, which have a price and a band', async () => {
      await bring(FILE)
      const body = await read('BP-1001')
      expect(body.errors).to.deep.equal([])
      expect(body.references).to.deep.equal([
        { kind: 'OEM', brand: 'Honda', number: '45022-T0A-A00' },
        { kind: 'CROSS', brand: 'Bosch', number: '0 986 494 153' },
        { kind: 'SUPERSEDES', brand: null, number: 'BP-0900' },
      ])
      expect([body.supersedes, body.superseded_by]).to.deep.equal([['BP-0900'], 'BP-1005'])
      const relations = body.alternatives.map(({ sku, relation }: { sku: string; relation: string }) => [sku, relation])
      expect(relations).to.deep.equal([
        ['BP-1005', 'SUPERSEDED_BY'],
        ['BP-1002', 'OEM'],
        ['BP-1003', 'CROSS'],
      ])
      const [, low] = body.alternatives
      const page = await read('BP-1002')
      expect(low).to.deep.equal({
        sku: 'BP-1002',
        name: page.name,
        relation: 'OEM',
        price: { ...page.price, as_of: low.price.as_of },
        availability: page.availability,
      })
    })

    it('are shown from the other side, too', async () => {
      await bring(FILE)
      expect(referencesOf(await read('BP-1005'))).to.deep.include({ supersedes: ['BP1001'], superseded_by: null })
      const { alternatives } = await read('BP-1002')
      expect(alternatives.map(({ sku }: { sku: string }) => sku)).to.deep.equal(['BP-1001'])
      expect(referencesOf(await read('BP-1006'))).to.deep.equal(NOTHING)
    })

    it('change with the next import, and vanish with it', async () => {
      await bring(FILE)
      await importReferenceText(api.db, 'sku,number,kind\nBP-1001,NEW-1,OEM\n')
      await api.fillMirror({ skus })
      await until('the new import is shown', async () => (await read('BP-1001')).references[0]?.number === 'NEW-1')
      await referenceImports.deactivate(api.db, { merchant: 'acme', mode: 'sandbox' }, new Date().toISOString())
      await api.fillMirror({ skus })
      await until('nothing is shown', async () => (await read('BP-1001')).references.length === 0)
    })

    it("include a customer's own numbers only for that customer, whatever was cached before", async () => {
      await bring(FILE)
      const numbersOf = (body: { references: { kind: string; number: string }[] }) =>
        body.references.filter(({ kind }) => kind === 'CUSTOMER').map(({ number }) => number)
      for (let round = 0; round < 2; round++) {
        expect(numbersOf(await readFor('BP-1001', 'C-1001'))).to.deep.equal(['GARAGE-7'])
        expect(numbersOf(await readFor('BP-1001', 'C-1002'))).to.deep.equal(['KEEPER-7'])
        expect(numbersOf(await read('BP-1001', {}, secret))).to.deep.equal([])
        const token = await api.shopperToken()
        expect(numbersOf(await read('BP-1001', { 'x-storefront-shopper-token': token }))).to.deep.equal([])
      }
    })

    it('fail alone, and the alternatives fail alone', async () => {
      await bring(FILE)
      const failed = await read('BP-1001', { 'x-sandbox-fault': 'references=timeout' })
      expect(referencesOf(failed)).to.deep.equal({
        references: null,
        supersedes: null,
        superseded_by: null,
        alternatives: null,
      })
      expect(failed.errors.map(({ field, code }: { field: string; code: string }) => [field, code])).to.deep.equal([
        ['references', 'downstream_timeout'],
        ['alternatives', 'downstream_timeout'],
      ])
      expect(failed.price.amount).to.match(/^\d/)
      const unpriced = await read('BP-1001', { 'x-sandbox-fault': 'pricing=timeout' })
      expect(unpriced.references).to.have.lengthOf(3)
      expect(unpriced.alternatives.map(({ price }: { price: unknown }) => price)).to.deep.equal([null, null, null])
      expect(unpriced.errors.map(({ field, code }: { field: string; code: string }) => [field, code])).to.deep.equal([
        ['price', 'downstream_timeout'],
        ['alternatives', 'partial_result'],
      ])
    })

    it('are capped: a number that thousands of products have costs as little as any', async () => {
      const many = Array.from({ length: 3_000 }, (_, at) => `X-${at},,N/A,CROSS,`).join('\n')
      await bring(`${FILE}BP-1006,,N/A,CROSS,\n${many}\n`)
      expect((await read('BP-1006')).alternatives).to.deep.equal([])
    })
  })
}
