import { expect } from 'chai'
import { type KyselyPlugin, sql } from 'kysely'
import type { Diagnostics } from '../../../src/diagnostics/diagnostics.ts'
import {
  listRecentRecords,
  listRecordPage,
  readRequestRecords,
} from '../../../src/diagnostics/reports/request-records.ts'
import type { Database } from '../../../src/storage/database.ts'
import { stores } from '../../support/stores.ts'
import {
  callTrace,
  type DiagnosticsSetup,
  finishedCacheHit,
  finishedRequest,
  okSection,
  openDiagnosticsForEach,
  START_MS,
  timedOutSection,
} from '../diagnostics-setup.ts'

for (const store of stores()) {
  describe(`request records over ${store.name}`, () => {
    let db: Database
    let setup: DiagnosticsSetup
    let process: Diagnostics

    openDiagnosticsForEach(store, (opened) => {
      ;({ db, setup, process } = opened)
    })

    it('contain everything about a degraded request', async () => {
      const sections = [okSection('product', { system: 'inventory' }), timedOutSection('price')]
      const calls = [callTrace({ ms: 700, attempts: 2, queuedMs: 3, outcome: 'timeout', cause: 'no response in time' })]
      process.recordRequest(finishedRequest({ requestId: 'req-9', sections, calls, ms: 712.4 }))
      await process.flush()
      const [{ recordId, ...record }, ...others] = (await readRequestRecords(db, 'req-9')) as [
        Awaited<ReturnType<typeof readRequestRecords>>[0],
      ]
      expect(others).to.deep.equal([])
      expect(record).to.deep.equal({
        requestId: 'req-9',
        tenant: 'acme',
        mode: 'live',
        at: START_MS,
        kind: 'degraded',
        route: 'getProduct',
        method: 'GET',
        path: '/v1/products/BP-1',
        status: 200,
        ms: 712,
        cache: 'miss',
        code: null,
        keyId: 'key_1',
        customerId: null,
        deadlineMs: 2_500,
        sections,
        calls,
        process: 'one',
      })
      expect(await readRequestRecords(db, 'req-unknown')).to.deep.equal([])
    })

    it('contain the limit that a refused request met', async () => {
      const reachedLimit = { name: 'logins', retryAfterSeconds: 600 }
      const refusal = { status: 429, code: 'rate_limited', sections: undefined, reachedLimit }
      process.recordRequest(finishedRequest({ requestId: 'req-429', ...refusal }))
      await process.flush()
      expect((await readRequestRecords(db, 'req-429'))[0]!.reachedLimit).to.deep.equal(reachedLimit)
    })

    const kinds = async () =>
      (await listRecentRecords(db, { merchant: 'acme', mode: 'live', limit: 50 })).map(({ kind }) => kind)

    for (const [kind, what, of] of [
      ['degraded', 'lacks a section', { sections: [timedOutSection('price')] }],
      ['degraded', 'lacks a section by request', { sections: [timedOutSection('price', { simulated: true })] }],
      ['degraded', 'failed', { status: 500, code: 'internal_error', sections: undefined }],
      ['slow', 'took a second', { ms: 1_000, sections: undefined }],
      ['slow', 'took most of its time', { ms: 400, deadlineMs: 500 }],
      ['refused', 'had no right', { status: 403, code: 'insufficient_scope', sections: undefined }],
      ['refused', 'met the limit', { status: 429, code: 'rate_limited', sections: undefined }],
      ['refused', 'came too late', { status: 409, code: 'price_changed', sections: undefined }],
      [null, 'was well', {}],
      [null, 'asked for what is not there', { status: 404, code: 'not_found' }],
      [null, 'does not fit its schema', { status: 422, sections: undefined }],
      [null, 'asked for another version', { status: 412, sections: undefined }],
      [null, 'was left by its reader', { status: 499 }],
    ] as const) {
      it(`${kind === null ? 'omit' : `store as ${kind}`} a request that ${what}`, async () => {
        process.recordRequest(finishedRequest(of as object))
        process.recordRequest(finishedCacheHit())
        await process.flush()
        expect(await kinds()).to.deep.equal(kind === null ? [] : [kind])
      })
    }

    it('of requests without a key are found by their id only', async () => {
      process.recordRequest(
        finishedRequest({ tenant: null, keyId: null, status: 401, code: 'missing_api_key', requestId: 'nobody' }),
      )
      await process.flush()
      expect((await readRequestRecords(db, 'nobody')).map(({ tenant, code }) => [tenant, code])).to.deep.equal([
        [null, 'missing_api_key'],
      ])
    })

    it('of several merchants are listed together, and none is read that is not on the page', async () => {
      const scopes = ['acme', 'zenith', 'other'].map((merchant) => ({ merchant, mode: 'live' as const }))
      // Those of acme are the latest, and those of zenith the oldest.
      for (const merchant of ['zenith', 'other', 'acme'])
        for (let index = 0; index < 7; index++) {
          const refusal = { tenant: merchant, status: 409, code: 'line_unavailable', sections: undefined }
          process.recordRequest(finishedRequest({ ...refusal, requestId: `${merchant}-${index}` }))
          setup.advance(1_000)
        }
      await process.flush()
      let read = 0
      const counting: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          read += result.rows.length
          return result
        },
      }
      const list = (cursor?: string) => listRecordPage(db.withPlugin(counting), { scopes, limit: 5, cursor })
      const idsOf = ({ records }: Awaited<ReturnType<typeof list>>) => records.map(({ requestId }) => requestId)
      const first = await list()
      expect(idsOf(first)).to.deep.equal([6, 5, 4, 3, 2].map((index) => `acme-${index}`))
      expect(read).to.equal(6)
      const second = await list(first.older!)
      expect(idsOf(second)).to.deep.equal(['acme-1', 'acme-0', 'other-6', 'other-5', 'other-4'])
      const third = await list(second.older!)
      expect(idsOf(third)).to.deep.equal(['other-3', 'other-2', 'other-1', 'other-0', 'zenith-6'])
      expect(idsOf(await list(third.newer!))).to.deep.equal(idsOf(second))
      expect(idsOf(await list(second.newer!))).to.deep.equal(idsOf(first))
    })

    it('contain neither the query nor a key in the path', async () => {
      const key = `svc_live_sec_${'a'.repeat(49)}`
      process.recordRequest(
        finishedRequest({ status: 401, url: `/v1/products/${key}?q=jane@example.com&token=secret`, requestId: 'r' }),
      )
      await process.flush()
      expect((await readRequestRecords(db, 'r'))[0]!.path).to.equal('/v1/products/svc_live_sec_[redacted]')
      const kept = JSON.stringify(await db.selectFrom('request_records').selectAll().execute())
      expect(kept).to.not.include('jane').and.not.include('secret').and.not.include('aaaa')
    })

    for (const [path, kept] of [
      ['/v1/orders/jane.doe@example.com', '/v1/orders/[redacted]'],
      ['/v1/orders/jane%40example.com/cancel', '/v1/orders/[redacted]/cancel'],
      [`/v1/products/svc%5Flive%5Fsec%5F${'b'.repeat(49)}`, '/v1/products/svc_live_sec_[redacted]'],
      [`/v1/products/%2573vc_live_sec_${'%25%36%31'.repeat(49)}`, '/v1/products/svc_live_sec_[redacted]'],
      [`/v1/orders/${'Zx9'.repeat(15)}`, '/v1/orders/[redacted]'],
      [`/v1/webhooks/whk_${'a'.repeat(22)}/deliveries/0b6cbe1c-7b0e-4c8f-8a51-8a6f0f5d3c1e/redeliver`, null],
      ['/v1/products/BP%201001%2FA', '/v1/products/BP 1001/A'],
      ['/v1/products/%ff%', '/v1/products/%ff%'],
    ] as const) {
      it(`show the path ${path} as ${kept ?? 'it is'}`, async () => {
        process.recordRequest(finishedRequest({ status: 401, url: path, requestId: 'r' }))
        await process.flush()
        expect((await readRequestRecords(db, 'r'))[0]!.path).to.equal(kept ?? path)
      })
    }

    it('contain neither keys, tokens nor mailboxes that were sent as a SKU or are a customer’s id', async () => {
      const skus = ['BP-1', 'jane@example.com', `svc_live_sec_${'a'.repeat(49)}`, 'Zx9'.repeat(15), 'a\nb', 'nul\0']
      const request = { status: 401, requestId: 'r', skus, refusedSkus: skus, customerId: 'jane@example.com' }
      process.recordRequest(finishedRequest(request))
      await process.flush()
      const row = await db.selectFrom('request_records').select(['skus', 'customer_id']).executeTakeFirstOrThrow()
      expect(row).to.deep.equal({ skus: '\nbp-1\n', customer_id: null })
      expect((await readRequestRecords(db, 'r'))[0]!.refusedSkus).to.deep.equal(['BP-1'])
    })

    it('of one merchant survive a flood of another’s while the store is unreachable', async () => {
      await sql`alter table request_records rename to away`.execute(db)
      const flood = () => {
        for (const tenant of [null, 'zenith'])
          for (let time = 0; time < 20; time++)
            process.recordRequest(finishedRequest({ tenant, status: 401, sections: undefined, requestId: 'flood' }))
      }
      for (let second = 0; second < 200; second++) {
        flood()
        setup.advance(1_000)
        if (second % 20 === 0) await process.flush()
      }
      for (let time = 0; time < 50; time++)
        process.recordRequest(finishedRequest({ requestId: 'own', sections: [timedOutSection('price')] }))
      await process.flush()
      for (let second = 0; second < 100; second++) {
        flood()
        setup.advance(1_000)
      }
      await sql`alter table away rename to request_records`.execute(db)
      await process.flush()
      const kept = async (requestId: string) =>
        (
          await db
            .selectFrom('request_records')
            .select((of) => of.fn.countAll<number>().as('count'))
            .where('request_id', '=', requestId)
            .executeTakeFirstOrThrow()
        ).count
      expect([await kept('own'), await kept('flood')]).to.deep.equal([50, 1_950])
    })

    it('are limited to a burst of a hundred and ten per second, by kind, merchant and mode', async () => {
      const flood = () => {
        for (let time = 0; time < 1_000; time++) {
          process.recordRequest(finishedRequest({ sections: [timedOutSection('price')] }))
          process.recordRequest(finishedRequest({ status: 403, sections: undefined }))
          process.recordRequest(finishedRequest({ mode: 'sandbox', sections: [timedOutSection('price')] }))
        }
      }
      const counted = async () => {
        await process.flush()
        const { rows } = await sql<{ mode: string; kind: string; count: number }>`
          select mode, kind, count(*) as count from request_records group by mode, kind order by mode, kind`.execute(db)
        return rows.map(({ mode, kind, count }) => `${mode} ${kind} ${count}`)
      }
      flood()
      expect(await counted()).to.deep.equal(['live degraded 100', 'live refused 100', 'sandbox degraded 100'])
      setup.advance(3_000)
      flood()
      expect(await counted()).to.deep.equal(['live degraded 130', 'live refused 130', 'sandbox degraded 130'])
    })

    it('are listed with the latest first, optionally of one kind', async () => {
      for (const [requestId, status] of [
        ['a', 200],
        ['b', 403],
        ['c', 200],
      ] as const) {
        process.recordRequest(
          finishedRequest({ requestId, status, sections: status === 200 ? [timedOutSection('price')] : undefined }),
        )
        setup.advance(10)
      }
      await process.flush()
      const ids = async (kind?: 'refused') =>
        (await listRecentRecords(db, { merchant: 'acme', mode: 'live', limit: 2, ...(kind && { kind }) })).map(
          (one) => one.requestId,
        )
      expect(await ids()).to.deep.equal(['c', 'b'])
      expect(await ids('refused')).to.deep.equal(['b'])
    })

    it('are limited in memory while the store is unreachable', async () => {
      await sql`alter table request_records rename to away`.execute(db)
      for (let second = 0; second < 600; second++) {
        for (let time = 0; time < 20; time++)
          process.recordRequest(finishedRequest({ requestId: `${second}`, sections: [timedOutSection('price')] }))
        setup.advance(1_000)
        if (second % 10 === 0) await process.flush()
      }
      await sql`alter table away rename to request_records`.execute(db)
      await process.flush()
      const { count } = await db
        .selectFrom('request_records')
        .select((of) => of.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      expect(count).to.equal(2_000)
    })
  })
}
