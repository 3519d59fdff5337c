import { expect } from 'chai'
import { sql } from 'kysely'
import type { Diagnostics } from '../../../src/diagnostics/diagnostics.ts'
import { findIncident } from '../../../src/diagnostics/reports/incident-detail.ts'
import { listIncidents } from '../../../src/diagnostics/reports/incidents.ts'
import { completeOutages } from '../../../src/diagnostics/reports/outage-incidents.ts'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { countSketch } from '../../../src/storage/diagnostics/distinct-sketch.ts'
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

const acmeLive = { merchant: 'acme', mode: 'live' } as const
const acmeSandbox = { merchant: 'acme', mode: 'sandbox' } as const
for (const store of stores()) {
  describe(`incidents over ${store.name}`, () => {
    let db: Database
    let setup: DiagnosticsSetup
    let process: Diagnostics

    openDiagnosticsForEach(store, (opened) => {
      ;({ db, setup, process } = opened)
    })

    const list = async () => (await listIncidents(db, { limit: 100 })).incidents
    const degrade = (by: Diagnostics = process, requestId = 'req-1') =>
      by.recordRequest(
        finishedRequest({
          requestId,
          sections: [
            okSection('product', { system: 'inventory' }),
            timedOutSection('price', { kind: 'no response in 700 ms' }),
          ],
        }),
      )
    /** A response with a price that was just read from pricing. */
    const recover = (by: Diagnostics = process) => {
      by.recordCall(acmeLive, callTrace())
      by.recordRequest(finishedRequest({ sections: [okSection('price')], calls: [callTrace()] }))
    }

    it('count the checkouts that were refused by any process, and their carts', async () => {
      const other = setup.createProcess(db, 'two')
      const checkOut = (by: Diagnostics, status: number, cartId: string) =>
        by.recordRequest(
          finishedRequest({ route: 'checkout', status, cartId, sections: [timedOutSection('checkout')] }),
        )
      checkOut(process, 504, 'cart_1')
      checkOut(process, 504, 'cart_1')
      // The order is stored, and waits for accounting.
      checkOut(process, 202, 'cart_2')
      await process.flush()
      checkOut(other, 503, 'cart_3')
      await other.flush()
      await other[Symbol.asyncDispose]()
      const { impact } = (await list())[0]!
      expect([impact!.refusedCheckouts, impact!.refusedCartIds]).to.deep.equal([3, ['cart_1', 'cart_3']])
    })

    it('read incidents of a release that did not count checkouts', async () => {
      degrade()
      await process.flush()
      const { impact } = await db.selectFrom('incidents').select('impact').executeTakeFirstOrThrow()
      const { refusedCheckouts: _, refusedCartIds: __, ...before } = JSON.parse(impact!)
      await db
        .updateTable('incidents')
        .set({ impact: JSON.stringify(before) })
        .execute()
      expect((await list())[0]!.impact).to.include({ refusedCheckouts: 0 })
    })

    it('open with the first degraded response, and count each that follows', async () => {
      degrade()
      setup.advance(200)
      degrade()
      process.recordRequest(
        finishedRequest({
          sections: [
            timedOutSection('price', { outcome: 'circuit_open', code: 'circuit_open', kind: 'no response in 700 ms' }),
          ],
        }),
      )
      await process.flush()
      setup.advance(1_000)
      degrade()
      await process.flush()
      const [{ incidentId, impact, ...incident }, ...others] = (await list()) as [Awaited<ReturnType<typeof list>>[0]]
      expect(others).to.deep.equal([])
      expect(incidentId).to.match(/^inc_[0-9A-Za-z]{16}$/)
      expect(countSketch(impact!.shoppers)).to.equal(1)
      expect(incident).to.deep.equal({
        tenant: 'acme',
        mode: 'live',
        system: 'pricing',
        section: 'price',
        beganAt: START_MS,
        lastAt: START_MS + 1_200,
        recoveredAt: null,
        respondingSince: null,
        endedAt: null,
        answers: 4,
        codes: [
          { code: 'downstream_timeout', count: 3 },
          { code: 'circuit_open', count: 1 },
        ],
        causes: [{ kind: 'no response in 700 ms', count: 4 }],
      })
      expect(setup.errors).to.deep.equal([])
    })

    it('belong to one merchant, mode, system and section', async () => {
      degrade()
      process.recordRequest(finishedRequest({ mode: 'sandbox', sections: [timedOutSection('price')] }))
      process.recordRequest(
        finishedRequest({
          tenant: 'zenith',
          sections: [timedOutSection('price'), timedOutSection('tax', { system: 'accounting' })],
        }),
      )
      process.recordRequest(finishedRequest({ sections: [timedOutSection('media', { system: null })] }))
      await process.flush()
      const shown = (await list()).map((one) => `${one.tenant}/${one.mode} ${one.system} ${one.section} ${one.answers}`)
      expect(shown).to.have.members([
        ...['acme/live pricing price 1', 'acme/sandbox pricing price 1', 'acme/live  media 1'],
        ...['zenith/live pricing price 1', 'zenith/live accounting tax 1'],
      ])
    })

    it('count a response once, however many of its sections have the same name', async () => {
      const data = (how: typeof timedOutSection) => how('data', { system: 'inventory' })
      process.recordRequest(
        finishedRequest({ route: 'listProducts', sections: [data(timedOutSection), data(timedOutSection)] }),
      )
      process.recordRequest(
        finishedRequest({ route: 'listProducts', sections: [data(okSection), data(timedOutSection)] }),
      )
      await process.flush()
      expect((await list()).map(({ answers }) => answers)).to.deep.equal([2])
    })

    it('name the section that failed a response', async () => {
      process.recordRequest(
        finishedRequest({ status: 504, code: 'downstream_timeout', sections: [timedOutSection('product')] }),
      )
      await process.flush()
      expect((await list()).map(({ section }) => section)).to.deep.equal(['product'])
    })

    for (const [what, of] of [
      [
        'a failure that was asked for',
        { sections: [timedOutSection('price', { simulated: true }), timedOutSection('tax')] },
      ],
      [
        'what a back office does not offer',
        { sections: [okSection('tax', { outcome: 'not_configured', code: 'not_configured' })] },
      ],
      [
        'an answer for which there is no system',
        { status: 503, sections: [okSection('credit', { outcome: 'not_configured', code: 'not_configured' })] },
      ],
      ['an answer that nobody waited for', { status: 499, sections: [timedOutSection('price')] }],
      [
        'what was given up',
        { status: 504, sections: [okSection('price', { outcome: 'aborted', code: 'downstream_unavailable' })] },
      ],
      ['an answer to nobody', { tenant: null, sections: [timedOutSection('price')] }],
    ] as const) {
      it(`do not count ${what}`, async () => {
        process.recordRequest(finishedRequest(of))
        await process.flush()
        expect(await list()).to.deep.equal([])
      })
    }

    it('close five seconds after the last degraded response when the section was healthy since', async () => {
      degrade()
      setup.advance(100)
      recover()
      await process.flush()
      setup.advance(4_899)
      await process.flush()
      expect((await list()).map(({ endedAt }) => endedAt)).to.deep.equal([null])
      setup.advance(1)
      await process.flush()
      const [ended] = await list()
      expect([ended!.endedAt, ended!.recoveredAt]).to.deep.equal([START_MS, START_MS + 100])
    })

    it('stay open while degraded responses alternate with healthy ones', async () => {
      for (let second = 0; second < 12; second++) {
        if (second % 4 === 0) degrade()
        else recover()
        await process.flush()
        setup.advance(1_000)
      }
      const [incident] = await list()
      expect([incident!.endedAt, incident!.answers]).to.deep.equal([null, 3])
    })

    it('stay open when the healthy section came from the cache', async () => {
      degrade()
      setup.advance(1_000)
      process.recordRequest(finishedRequest({ sections: [okSection('price')] }))
      process.recordRequest(finishedCacheHit())
      setup.advance(10_000)
      await process.flush()
      expect((await list()).map(({ endedAt }) => endedAt)).to.deep.equal([null])
    })

    it('stay open when only other operations of the system succeed', async () => {
      const failed = callTrace({ operation: 'price', outcome: 'timeout' })
      process.recordRequest(finishedRequest({ sections: [timedOutSection('price')], calls: [failed] }))
      setup.advance(1_000)
      process.recordCall(acmeLive, callTrace({ operation: 'promotions' }))
      process.recordRequest(finishedRequest({ sections: [okSection('price')] }))
      setup.advance(10_000)
      await process.flush()
      expect((await list()).map(({ endedAt }) => endedAt)).to.deep.equal([null])
      recover()
      await process.flush()
      expect((await list()).map(({ endedAt }) => endedAt)).to.deep.equal([START_MS])
    })

    it('stay open when another process called other operations and served the section from its cache', async () => {
      const other = await openDatabase(store.url())
      const others = setup.createProcess(other, 'two')
      others.recordRequest(finishedRequest({ sections: [okSection('price')], calls: [callTrace()] }))
      setup.advance(1_000)
      process.recordRequest(
        finishedRequest({ sections: [timedOutSection('price')], calls: [callTrace({ outcome: 'timeout' })] }),
      )
      await process.flush()
      setup.advance(1_000)
      others.recordCall(acmeLive, callTrace({ operation: 'quote' }))
      others.recordRequest(finishedRequest({ sections: [okSection('price')] }))
      setup.advance(10_000)
      await others.flush()
      expect((await list()).map(({ endedAt }) => endedAt)).to.deep.equal([null])
      await others[Symbol.asyncDispose]()
      await other.destroy()
    })

    it('depend on the operations that fail now, not on those of the previous incident', async () => {
      const failing = (operation: string) =>
        process.recordRequest(
          finishedRequest({
            sections: [timedOutSection('price')],
            calls: [callTrace({ operation, outcome: 'timeout' })],
          }),
        )
      failing('prices')
      setup.advance(1_000)
      process.recordCall(acmeLive, callTrace({ operation: 'prices' }))
      process.recordRequest(finishedRequest({ sections: [okSection('price')] }))
      setup.advance(6_000)
      await process.flush()
      failing('quote')
      setup.advance(1_000)
      process.recordCall(acmeLive, callTrace({ operation: 'prices' }))
      process.recordRequest(finishedRequest({ sections: [okSection('price')] }))
      setup.advance(6_000)
      await process.flush()
      expect((await list()).map(({ endedAt }) => endedAt)).to.deep.equal([null, START_MS])
    })

    it('of a checkout close when a checkout succeeds or is refused for its content', async () => {
      const of = { route: 'checkout', method: 'POST', url: '/v1/checkout' }
      for (const ended of [{ sections: [] }, { status: 409, code: 'price_changed', sections: undefined }] as const) {
        const failed = callTrace({ operation: 'quote', outcome: 'timeout' })
        process.recordRequest(
          finishedRequest({ ...of, status: 504, sections: [timedOutSection('checkout')], calls: [failed] }),
        )
        setup.advance(1_000)
        process.recordCall(acmeLive, callTrace({ operation: 'quote' }))
        process.recordRequest(finishedRequest({ ...of, ...ended, calls: [callTrace({ operation: 'quote' })] }))
        setup.advance(5_000)
        await process.flush()
      }
      const ended = (await list()).map(({ section, lastAt, endedAt }) => [section, lastAt === endedAt])
      expect(ended).to.deep.equal([
        ['checkout', true],
        ['checkout', true],
      ])
    })

    it('of a checkout stay open while one of the system’s operations fails', async () => {
      const of = { route: 'checkout', method: 'POST', url: '/v1/checkout' }
      const failed = callTrace({ operation: 'quote', outcome: 'timeout' })
      process.recordRequest(
        finishedRequest({ ...of, status: 504, sections: [timedOutSection('checkout')], calls: [failed] }),
      )
      setup.advance(1_000)
      process.recordCall(acmeLive, callTrace({ operation: 'quote' }))
      process.recordRequest(finishedRequest({ ...of, calls: [failed, callTrace({ operation: 'quote' })] }))
      setup.advance(10_000)
      await process.flush()
      expect((await list()).map(({ endedAt }) => endedAt)).to.deep.equal([null])
    })

    it('close after five minutes without requests', async () => {
      degrade()
      await process.flush()
      setup.advance(299_999)
      await process.flush()
      expect((await list()).map(({ endedAt }) => endedAt)).to.deep.equal([null])
      setup.advance(1)
      await process.flush()
      expect((await list()).map(({ endedAt }) => endedAt)).to.deep.equal([START_MS])
    })

    it('open anew when the section is degraded again', async () => {
      degrade()
      setup.advance(100)
      recover()
      setup.advance(6_000)
      await process.flush()
      degrade()
      await process.flush()
      expect((await list()).map(({ beganAt, endedAt, answers }) => ({ beganAt, endedAt, answers }))).to.deep.equal([
        { beganAt: START_MS + 6_100, endedAt: null, answers: 1 },
        { beganAt: START_MS, endedAt: START_MS, answers: 1 },
      ])
    })

    it('are shared by all processes, which count exactly', async () => {
      const other = await openDatabase(store.url())
      const others = setup.createProcess(other, 'two')
      for (let round = 0; round < 20; round++) {
        for (let turn = 0; turn <= round; turn++) {
          degrade(process, `a-${round}-${turn}`)
          degrade(others, `b-${round}-${turn}`)
          others.recordRequest(finishedRequest({ sections: [timedOutSection('tax', { system: 'accounting' })] }))
        }
        setup.advance(250)
        await Promise.all([process.flush(), others.flush()])
      }
      const found = (await list()).toSorted((a, b) => (a.section < b.section ? -1 : 1))
      expect(found.map(({ section, answers }) => [section, answers])).to.deep.equal([
        ['price', 420],
        ['tax', 210],
      ])
      expect(found.map(({ codes }) => codes[0]!.count)).to.deep.equal([420, 210])
      const { samples } = (await findIncident(db, found[0]!.incidentId))!
      expect(samples.slice(0, 2).map(({ requestId }) => requestId)).to.have.members(['a-0-0', 'b-0-0'])
      expect(samples).to.have.lengthOf(8)
      expect(samples.at(-1)!.requestId).to.match(/^[ab]-19-/)
      expect(setup.errors).to.deep.equal([])
      await others[Symbol.asyncDispose]()
      await other.destroy()
    })

    it('close when another process saw the section healthy, also after the first process died', async () => {
      const other = await openDatabase(store.url())
      const others = setup.createProcess(other, 'two')
      degrade()
      await process.flush()
      setup.advance(1_000)
      recover(others)
      await others.flush()
      setup.advance(9_001)
      await others.flush()
      expect((await list()).map(({ endedAt }) => endedAt)).to.deep.equal([START_MS])
      await others[Symbol.asyncDispose]()
      await other.destroy()
    })

    it('stay open when a late report would have kept them open', async () => {
      const other = await openDatabase(store.url())
      const late = setup.createProcess(other, 'late')
      degrade()
      setup.advance(100)
      recover()
      setup.advance(2_000)
      degrade(late)
      setup.advance(4_000)
      await process.flush()
      expect((await list()).map(({ endedAt }) => endedAt)).to.deep.equal([START_MS])
      await late.flush()
      const incidents = await list()
      expect(incidents.map(({ answers, lastAt, endedAt }) => [answers, lastAt, endedAt])).to.deep.equal([
        [2, START_MS + 2_100, null],
      ])
      await late[Symbol.asyncDispose]()
      await other.destroy()
    })

    it('take in a late report when no process had seen the section healthy', async () => {
      const other = await openDatabase(store.url())
      const late = setup.createProcess(other, 'late')
      degrade()
      setup.advance(299_000)
      degrade(late)
      setup.advance(1_500)
      await process.flush()
      await late.flush()
      expect((await list()).map(({ answers, endedAt }) => [answers, endedAt])).to.deep.equal([[2, null]])
      await late[Symbol.asyncDispose]()
      await other.destroy()
    })

    it('close although a wrong clock dated them far ahead', async () => {
      setup.advance(86_400_000)
      degrade()
      await process.flush()
      setup.advance(-86_400_000)
      await process.flush()
      setup.advance(1_000)
      recover()
      await process.flush()
      setup.advance(5_000)
      await process.flush()
      expect((await list()).map(({ beganAt, endedAt }) => [beganAt, endedAt])).to.deep.equal([[START_MS, START_MS]])
    })

    it('lose nothing while the store is unreachable, and report that once', async () => {
      degrade()
      await process.flush()
      await sql`alter table incidents rename to away`.execute(db)
      for (let time = 0; time < 5; time++) {
        degrade(process, `away-${time}`)
        setup.advance(500)
        await process.flush()
      }
      expect(setup.errors).to.have.lengthOf(1)
      await sql`alter table away rename to incidents`.execute(db)
      degrade()
      await process.flush()
      const incidents = await list()
      expect(incidents.map(({ answers, endedAt }) => [answers, endedAt])).to.deep.equal([[7, null]])
      expect(incidents[0]!.codes).to.deep.equal([{ code: 'downstream_timeout', count: 7 }])
    })

    it('are listed by page, the latest first, by merchant, mode and state', async () => {
      for (const tenant of ['acme', 'zenith', 'nadir']) {
        process.recordRequest(finishedRequest({ tenant, sections: [timedOutSection('price')] }))
        process.recordRequest(finishedRequest({ tenant, mode: 'sandbox', sections: [timedOutSection('price')] }))
        await process.flush()
        setup.advance(1_000)
      }
      setup.advance(297_500)
      await process.flush()
      const names: string[] = []
      let before: string | null | undefined
      do {
        const page = await listIncidents(db, { limit: 2, ...(before && { before }) })
        names.push(...page.incidents.map(({ tenant }) => tenant))
        before = page.next
      } while (before)
      expect(names).to.deep.equal(['nadir', 'nadir', 'zenith', 'zenith', 'acme', 'acme'])
      const open = await listIncidents(db, { limit: 9, open: true, mode: 'live' })
      expect(open.incidents.map(({ tenant }) => tenant)).to.deep.equal(['nadir', 'zenith'])
      const over = await listIncidents(db, { limit: 9, open: false, merchant: 'acme' })
      expect(over.incidents.map(({ mode }) => mode)).to.have.members(['live', 'sandbox'])
    })

    describe('of a system that responds to other calls', () => {
      const since = async () => (await list()).map(({ respondingSince }) => respondingSince)
      const call = (of: Partial<Parameters<typeof callTrace>[0]>, by: Diagnostics = process) =>
        by.recordCall(acmeLive, callTrace({ operation: 'promotions', background: true, ...of }))

      it('say since when, until a call fails or a response is degraded again', async () => {
        degrade()
        await process.flush()
        expect(await since()).to.deep.equal([null])
        setup.advance(20_000)
        call({ outcome: 'circuit_open' })
        call({ outcome: 'timeout' })
        await process.flush()
        expect(await since()).to.deep.equal([null])
        setup.advance(1_000)
        call({})
        setup.advance(2_000)
        call({})
        await process.flush()
        expect(await since()).to.deep.equal([START_MS + 21_000])
        setup.advance(1_000)
        call({ outcome: 'timeout' })
        await process.flush()
        expect(await since()).to.deep.equal([null])
        setup.advance(1_000)
        call({})
        await process.flush()
        expect(await since()).to.deep.equal([START_MS + 25_000])
        degrade()
        await process.flush()
        expect(await since()).to.deep.equal([null])
      })

      it('say what another process saw, and keep it when they end for want of requests', async () => {
        const other = await openDatabase(store.url())
        const others = setup.createProcess(other, 'two')
        call({}, others)
        setup.advance(1_000)
        degrade()
        await process.flush()
        setup.advance(5_000)
        call({}, others)
        await others.flush()
        await process.flush()
        setup.advance(300_000)
        await process.flush()
        expect((await list()).map(({ respondingSince, endedAt }) => [respondingSince, endedAt])).to.deep.equal([
          [START_MS + 6_000, START_MS + 1_000],
        ])
        await others[Symbol.asyncDispose]()
        await other.destroy()
      })
    })

    it('are one outage before and after its end, also of those that began when no response was degraded', async () => {
      const refuse = (section: string, ms = 5_000) => {
        process.recordRequest(finishedRequest({ sections: [timedOutSection(section)] }))
        setup.advance(ms)
      }
      const recoverAll = () => {
        process.recordCall(acmeLive, callTrace())
        for (const name of ['checkout', 'price', 'tax'])
          process.recordRequest(finishedRequest({ sections: [okSection(name)], calls: [callTrace()] }))
      }
      refuse('checkout')
      refuse('price', 60_000)
      refuse('tax', 30_000)
      await process.flush()
      const readOutages = async (during: { from: number; to: number }) => {
        const { incidents } = await listIncidents(db, { limit: 9, during })
        const outages = await completeOutages(db, incidents)
        return outages.map((outage) => [outage.beganAt, outage.incidents.map(({ section }) => section)])
      }
      const whole = { from: START_MS, to: START_MS + 200_000 }
      const one = [[START_MS, ['tax', 'price', 'checkout']]]
      expect(await readOutages(whole)).to.deep.equal(one)
      recoverAll()
      setup.advance(6_000)
      await process.flush()
      expect((await list()).map(({ endedAt }) => endedAt)).to.not.include(null)
      expect(await readOutages(whole)).to.deep.equal(one)
      expect(await readOutages({ from: START_MS + 60_000, to: START_MS + 200_000 })).to.deep.equal(one)
      for (const { incidentId } of await list()) expect((await findIncident(db, incidentId))!.related).to.have.length(2)
    })

    it('show the end of a pause that was longer than the incident', async () => {
      degrade()
      process.recordCircuitTransition(acmeLive, 'pricing', 'open')
      setup.advance(101_000)
      process.recordCircuitTransition(acmeLive, 'pricing', 'closed')
      setup.advance(200_000)
      process.recordCircuitTransition(acmeLive, 'pricing', 'open')
      process.recordCircuitTransition(acmeLive, 'pricing', 'closed')
      await process.flush()
      const { changes } = (await findIncident(db, (await list())[0]!.incidentId))!
      expect(changes.map(({ state, at }) => [state, at])).to.deep.equal([
        ['open', START_MS],
        ['closed', START_MS + 101_000],
      ])
    })

    it('are found by a period in which they began, were open or ended', async () => {
      const MINUTE = 60_000
      const during = async (minutes: number, ms = 0, of: Partial<Parameters<typeof listIncidents>[1]> = {}) => {
        const at = START_MS + minutes * MINUTE + ms
        const asked = { limit: 9, during: { from: at - 5 * MINUTE, to: at }, ...of }
        return (await listIncidents(db, asked)).incidents.map(({ tenant }) => tenant)
      }
      // Incidents from minute 0 to 2, at minute 1, and from minute 20 on.
      degrade()
      setup.advance(MINUTE)
      process.recordRequest(finishedRequest({ tenant: 'zenith', sections: [timedOutSection('price')] }))
      await process.flush()
      setup.advance(MINUTE)
      degrade()
      await process.flush()
      setup.advance(18 * MINUTE)
      await process.flush()
      process.recordRequest(finishedRequest({ tenant: 'nadir', sections: [timedOutSection('price')] }))
      await process.flush()
      expect(await during(0, -1)).to.deep.equal([])
      expect(await during(0)).to.deep.equal(['acme'])
      expect(await during(1)).to.deep.equal(['acme', 'zenith'])
      expect(await during(6)).to.deep.equal(['acme', 'zenith'])
      expect(await during(6, 1)).to.deep.equal(['acme'])
      expect(await during(7)).to.deep.equal(['acme'])
      expect(await during(7, 1)).to.deep.equal([])
      expect(await during(20)).to.deep.equal(['nadir'])
      expect(await during(600)).to.deep.equal(['nadir'])
      expect(await during(6, 0, { merchant: 'zenith', mode: 'live', open: false })).to.deep.equal(['zenith'])
      expect(await during(6, 0, { open: true })).to.deep.equal([])
      const first = await listIncidents(db, {
        limit: 1,
        during: { from: START_MS - 4 * MINUTE, to: START_MS + MINUTE },
      })
      expect(first.incidents.map(({ tenant }) => tenant)).to.deep.equal(['acme'])
      expect(await during(1, 0, { before: first.next! })).to.deep.equal(['zenith'])
    })

    it('show the circuits’ changes at the time: opening and closing, not the probes in between', async () => {
      process.recordCircuitTransition(acmeLive, 'pricing', 'closed')
      degrade()
      process.recordCircuitTransition(acmeLive, 'pricing', 'open')
      process.recordCircuitTransition(acmeLive, 'pricing', 'open')
      process.recordCircuitTransition(acmeLive, 'accounting', 'open')
      process.recordCircuitTransition(acmeSandbox, 'pricing', 'open')
      setup.advance(3_000)
      process.recordCircuitTransition(acmeLive, 'pricing', 'closed')
      process.recordCircuitTransition(acmeLive, 'pricing', 'held_open', { by: 'ida' })
      await process.flush()
      const { incidentId } = (await list())[0]!
      const { changes } = (await findIncident(db, incidentId))!
      const one = { circuit: 'pricing', process: 'one', by: null, causes: [] }
      expect(changes).to.have.deep.members([
        { ...one, at: START_MS, state: 'open' },
        { ...one, at: START_MS + 3_000, state: 'closed' },
        { ...one, at: START_MS + 3_000, state: 'held_open', by: 'ida' },
      ])
      expect(await findIncident(db, 'inc_unknown')).to.equal(null)
    })
  })
}
