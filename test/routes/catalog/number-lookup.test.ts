import { expect } from 'chai'
import { type Api, startApi } from '../../support/api.ts'
import { describeWithAndWithoutMirror } from '../../support/describe-with-and-without-mirror.ts'
import { importReferenceText } from '../../support/import-reference-text.ts'
import { stores } from '../../support/stores.ts'
import { until } from '../../support/until.ts'

const FILE = `sku,brand,number,kind,customer
BP-1001,Honda,45022-T0A-A00,OEM,
BP-1002,Honda,45022-T0A-A00,OEM,
BP-1002,Bosch,0 986 494 153,CROSS,
BP-1003,,OLD-77,SUPERSEDES,
BP-1010,,BP-1004,SUPERSEDED_BY,
BP-1005,,GARAGE-7,CUSTOMER,C-1001
BP-1006,,GARAGE-7,CUSTOMER,C-1002
GONE-1,Honda,45022-T0A-A00,OEM,
`

for (const store of stores()) {
  describeWithAndWithoutMirror(`GET /v1/lookup, over ${store.name}`, (mirror) => {
    let api: Api
    let key: string
    let secret: string

    before(async () => {
      api = await startApi({ store: await store.createMigrated(), mirror })
      key = await api.key()
      secret = await api.key({ kind: 'secret' })
      expect((await importReferenceText(api.db, FILE)).outcome).to.equal('imported')
      await api.fillMirror()
      await until('the import is shown', async () => (await found('OLD-77')).length > 0)
    })
    after(async () => {
      await api[Symbol.asyncDispose]()
      await store.close()
    })

    const look = (number: string, headers: Record<string, string> = {}, by = key) =>
      api.request(`/v1/lookup?number=${encodeURIComponent(number)}`, { key: by, headers })
    async function found(number: string, headers: Record<string, string> = {}, by = key) {
      const { body } = await look(number, headers, by)
      return body.data.map(({ sku, match }: { sku: string; match: { kind: string } }) => [sku, match.kind])
    }
    const foundFor = async (number: string, customer: string) =>
      found(number, { 'x-storefront-shopper-token': await api.shopperToken({ customer }) }, secret)

    it('returns a product as a list shows it, and why it matches', async () => {
      const { body, headers } = await look('45022T0AA00')
      const [item] = (await api.request('/v1/products?q=BP-1001&limit=1', { key })).body.data
      const [first, second, ...others] = body.data
      const match = { kind: 'OEM', brand: 'Honda', number: '45022-T0A-A00' }
      expect(first).to.deep.equal({ ...item, price: { ...item.price, as_of: first.price.as_of }, match })
      expect([second.sku, others, body.errors]).to.deep.equal(['BP-1002', [], []])
      expect(headers.etag).to.match(/^"[\w-]{43}"$/)
      const again = await look('45022T0AA00', { 'if-none-match': headers.etag as string })
      expect(again.status).to.equal(304)
    })

    it('ignores punctuation and case, in every kind of number', async () => {
      const cases: [string, [string, string][]][] = [
        [
          '45022 t0a.a00',
          [
            ['BP-1001', 'OEM'],
            ['BP-1002', 'OEM'],
          ],
        ],
        ['0986494153', [['BP-1002', 'CROSS']]],
        ['old77', [['BP-1003', 'SUPERSEDES']]],
        ['BP-1001', [['BP-1001', 'SKU']]],
        ['bp1001', [['BP-1001', 'SKU']]],
        ['bp 1007', [['BP-1007', 'SKU']]],
        ['OZ-55692', [['BP-1001', 'MPN']]],
        ['2039253922140', [['BP-1001', 'BARCODE']]],
        ['203 9253 922140', [['BP-1001', 'BARCODE']]],
        // A withdrawn product is not sold: what replaces it is found.
        ['BP 1010', [['BP-1004', 'SUPERSEDES']]],
        ['bp-1004', [['BP-1004', 'SKU']]],
      ]
      for (const [number, expected] of cases) expect(await found(number), number).to.deep.equal(expected)
    })

    it('returns nothing for an unknown number, one without letters or digits, and a part of one', async () => {
      for (const number of ['NO-SUCH-NUMBER', '-', ' ', '\u0000', '5569', 'brake pad', '*', '45022-T0A'])
        expect([(await look(number)).status, await found(number)], number).to.deep.equal([200, []])
    })

    it('refuses a number that is missing, empty or too long', async () => {
      expect((await api.request('/v1/lookup', { key })).status).to.equal(422)
      expect((await look('')).status).to.equal(422)
      expect((await look('9'.repeat(129))).status).to.equal(422)
      expect((await look('9'.repeat(128))).status).to.equal(200)
    })

    it("finds a customer's own numbers for that customer only, whatever was cached before", async () => {
      for (let round = 0; round < 2; round++) {
        expect(await foundFor('garage7', 'C-1001')).to.deep.equal([['BP-1005', 'CUSTOMER']])
        expect(await foundFor('GARAGE-7', 'C-1002')).to.deep.equal([['BP-1006', 'CUSTOMER']])
        expect(await foundFor('GARAGE-7', 'C-1003')).to.deep.equal([])
        expect(await found('GARAGE-7', {}, secret)).to.deep.equal([])
        expect(await found('GARAGE-7')).to.deep.equal([])
        expect(await found('GARAGE-7', { 'x-storefront-shopper-token': await api.shopperToken() })).to.deep.equal([])
      }
      const token = await api.shopperToken()
      const own = await look('GARAGE-7', { 'x-storefront-shopper-token': token }, secret)
      expect(own.headers['cache-control']).to.equal('private, no-store')
      const etag = { 'if-none-match': own.headers.etag as string }
      expect((await look('GARAGE-7', etag)).status).to.equal(200)
      const zenith = await api.key({ merchant: 'zenith' })
      expect(await found('45022-T0A-A00', {}, zenith)).to.deep.equal([])
    })

    it('works without the stored references, and says so', async () => {
      const { body } = await look('BP-1001', { 'x-sandbox-fault': 'references=error' })
      expect(body.data.map(({ sku }: { sku: string }) => sku)).to.deep.equal(['BP-1001'])
      expect(body.errors.map(({ field }: { field: string }) => field)).to.deep.equal(['references'])
    })

    it('fails when the inventory does, and keeps the products when pricing does', async () => {
      const failed = await look('OLD-77', { 'x-sandbox-fault': 'inventory=timeout' })
      expect([failed.status, failed.body.code]).to.deep.equal([504, 'downstream_timeout'])
      const { body } = await look('OLD-77', { 'x-sandbox-fault': 'pricing=error' })
      expect([body.data[0].price, body.errors[0].field]).to.deep.equal([null, 'price'])
    })
  })
}
