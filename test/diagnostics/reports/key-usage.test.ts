import { expect } from 'chai'
import { readKeyUsage } from '../../../src/diagnostics/reports/key-usage.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { stores } from '../../support/stores.ts'
import { createDiagnosticsSetup, finishedCacheHit, finishedRequest, START_MS } from '../diagnostics-setup.ts'

const DAY = 86_400_000

for (const store of stores()) {
  describe(`the usage of keys over ${store.name}`, () => {
    afterEach(() => store.close())

    it('adds up days and processes, with the last refusal', async () => {
      const db = await store.open()
      const other = await openDatabase(store.url())
      const setup = createDiagnosticsSetup()
      const [one, two] = [setup.createProcess(db, 'one'), setup.createProcess(other, 'two')]
      one.recordRequest(finishedCacheHit())
      one.recordRequest(finishedRequest({ status: 403, code: 'insufficient_scope', sections: undefined }))
      await Promise.all([one.flush(), two.flush()])
      setup.advance(DAY)
      for (let time = 0; time < 5; time++) two.recordRequest(finishedCacheHit())
      two.recordRequest(finishedRequest({ status: 429, code: 'rate_limited', sections: undefined }))
      one.recordRequest(finishedCacheHit({ keyId: 'key_2' }))
      one.recordRequest(finishedCacheHit())
      await Promise.all([one.flush(), two.flush()])
      const use = { keyId: 'key_1', requests: 9, refused: 1, limited: 1 }
      const last = {
        lastDay: new Date(START_MS + DAY).toISOString().slice(0, 10),
        lastRefusalCode: 'rate_limited',
        lastRefusedAt: START_MS + DAY,
      }
      expect((await readKeyUsage(db, 2, setup.now)).get('key_1')).to.deep.equal({ ...use, ...last })
      expect((await readKeyUsage(db, 1, setup.now)).get('key_1')).to.deep.equal({
        ...use,
        requests: 7,
        refused: 0,
        ...last,
      })
      expect((await readKeyUsage(db, 1, setup.now)).get('key_2')).to.deep.include({ requests: 1, lastRefusedAt: null })
      expect(setup.errors).to.deep.equal([])
      for (const process of [one, two]) await process[Symbol.asyncDispose]()
      await other.destroy()
    })

    it('counts as refused only what the key itself was refused for', async () => {
      const db = await store.open()
      const setup = createDiagnosticsSetup()
      await using process = setup.createProcess(db)
      const refuse = (status: number, code: string) =>
        process.recordRequest(finishedRequest({ status, code, sections: undefined }))
      const ofKey = ['publishable_key_not_allowed', 'insufficient_scope', 'origin_not_allowed', 'sandbox_disabled']
      refuse(401, 'invalid_api_key')
      for (const code of ofKey) refuse(403, code)
      const ofShopper = [
        'invalid_credentials',
        'invalid_shopper_token',
        'missing_shopper_token',
        'invalid_refresh_token',
      ]
      for (const code of ofShopper) refuse(401, code)
      refuse(403, 'shopper_merchant_mismatch')
      await process.flush()
      expect((await readKeyUsage(db, 1, setup.now)).get('key_1')).to.deep.include({
        requests: 10,
        refused: 5,
        lastRefusalCode: 'sandbox_disabled',
      })
    })
  })
}
