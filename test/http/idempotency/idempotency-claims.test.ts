import { expect } from 'chai'
import { sql } from 'kysely'
import { createIdempotencyClaims, type IdempotencyClaims } from '../../../src/http/idempotency/idempotency-claims.ts'
import type { Database } from '../../../src/storage/database.ts'
import {
  type IdempotencyClaim,
  recordAppliedWrite,
  releaseIdempotencyKey,
  storeIdempotentResponse,
} from '../../../src/storage/idempotency-keys.ts'
import { stores } from '../../support/stores.ts'

const request = { digest: 'd', tenant_id: 'acme', fingerprint: 'f' }
const response = (body: string) => ({ status: 200, body, headers: {} })

for (const store of stores()) {
  describe(`idempotency keys of two processes on ${store.name}`, () => {
    let db: Database
    let clock: number
    let dying: IdempotencyClaims
    let living: IdempotencyClaims

    beforeEach(async () => {
      db = await store.open()
      clock = Date.parse('2026-11-21T12:00:00.000Z')
      const start = () =>
        createIdempotencyClaims({
          db,
          now: () => clock,
          intervalMs: null,
          onError: (error) => expect.fail(String(error)),
        })
      ;[dying, living] = [start(), start()]
    })
    afterEach(async () => {
      for (const claims of [dying, living]) await claims[Symbol.asyncDispose]()
      await store.close()
    })

    const claimOf = async (claims: IdempotencyClaims) => {
      const claim = await claims.claim(request)
      expect(claim.state).to.equal('claimed')
      return claim as Extract<IdempotencyClaim, { state: 'claimed' }>
    }

    it('go over to the other one within seconds of a death', async () => {
      await claimOf(dying)
      expect((await living.claim(request)).state).to.equal('in_flight')
      clock += 5_000
      await claimOf(living)
    })

    it('stay with a slow request, for which its process renews them', async () => {
      const { holder } = await claimOf(dying)
      for (let second = 0; second < 60; second++) {
        clock += 1_000
        await dying.renew()
        expect((await living.claim(request)).state).to.equal('in_flight')
      }
      expect(await storeIdempotentResponse(db, 'd', holder, response('slow'))).to.equal(true)
      dying.end('d')
      expect(await living.claim(request)).to.deep.equal({ state: 'done', response: response('slow') })
    })

    it('cannot be written, renewed or released by a holder that has lost them', async () => {
      const stale = await claimOf(dying)
      clock += 5_000
      const current = await claimOf(living)
      clock += 1_000
      await dying.renew()
      expect(await recordAppliedWrite(db, 'd', stale.holder, {})).to.equal(false)
      expect(await storeIdempotentResponse(db, 'd', stale.holder, response('stale'))).to.equal(false)
      await releaseIdempotencyKey(db, 'd', stale.holder, new Date(clock).toISOString())
      const row = await db.selectFrom('idempotency_keys').selectAll().executeTakeFirstOrThrow()
      const lock = `${new Date(clock + 4_000).toISOString()} ${current.holder}`
      expect([row.state, row.locked_until]).to.deep.equal(['in_flight', lock])
      expect(await storeIdempotentResponse(db, 'd', current.holder, response('current'))).to.equal(true)
    })

    it('cannot be written or renewed after a server of release 0.2.0 has taken them over', async () => {
      const { holder } = await claimOf(dying)
      clock += 5_000
      const lock = new Date(clock + 60_000).toISOString()
      const row = await db.selectFrom('idempotency_keys').selectAll().executeTakeFirstOrThrow()
      await sql`update idempotency_keys set locked_until = ${lock} where digest = 'd' and locked_until = ${row.locked_until} and state != 'done'`.execute(
        db,
      )
      await dying.renew()
      expect(await recordAppliedWrite(db, 'd', holder, {})).to.equal(false)
      expect(await storeIdempotentResponse(db, 'd', holder, response('stale'))).to.equal(false)
      await releaseIdempotencyKey(db, 'd', holder, new Date(clock).toISOString())
      const held = await db.selectFrom('idempotency_keys').selectAll().executeTakeFirstOrThrow()
      expect([held.state, held.locked_until]).to.deep.equal(['in_flight', lock])
    })

    it('are not renewed after the request has ended', async () => {
      await claimOf(dying)
      dying.end('d')
      clock += 5_000
      await dying.renew()
      await claimOf(living)
    })
  })
}
