import { expect } from 'chai'
import type { Database } from '../../src/storage/database.ts'
import { listAuditLog } from '../../src/storage/operators/audit-log.ts'
import { stores } from '../support/stores.ts'
import { PASSWORD, startTestConsole, type TestConsole } from './test-console.ts'

const ATTEMPTS = 100

for (const store of stores()) {
  describe(`the operations pages behind a proxy: ${store.name}`, () => {
    let db: Database
    let testConsole: TestConsole

    beforeEach(async () => {
      db = await store.open()
    })
    afterEach(async () => {
      await testConsole[Symbol.asyncDispose]()
      await store.close()
    })

    const signIn = (client: string, name: string, password = PASSWORD) =>
      testConsole.postForm('/sign-in', { name, password }, { 'x-forwarded-for': client, 'x-forwarded-proto': 'https' })

    it('count sign-ins and write the audit log by the address that the proxy names', async () => {
      testConsole = await startTestConsole(db, [], {}, ['loopback'])
      await testConsole.addOperator('ada')
      for (let n = 0; n < ATTEMPTS; n++) await signIn('192.0.2.66', `name-${n}`, 'wrong')
      expect((await signIn('192.0.2.66', 'ada')).status).to.equal(429)
      const reply = await signIn('192.0.2.1', 'ada')
      expect(reply.status).to.equal(303)
      expect(reply.headers['set-cookie']!.every((cookie) => cookie.endsWith('; Secure'))).to.equal(true)
      const [entry] = await listAuditLog(db, { limit: 1 })
      expect(entry).to.include({ action: 'sign-in', address: '192.0.2.1' })
    })

    it('believe no header of anybody else', async () => {
      testConsole = await startTestConsole(db, [], {}, [])
      await testConsole.addOperator('ada')
      const reply = await signIn('192.0.2.1', 'ada')
      expect(reply.status).to.equal(303)
      expect(reply.headers['set-cookie']!.some((cookie) => cookie.includes('Secure'))).to.equal(false)
      const [entry] = await listAuditLog(db, { limit: 1 })
      expect(entry).to.include({ action: 'sign-in', address: '127.0.0.1' })
    })
  })
}
