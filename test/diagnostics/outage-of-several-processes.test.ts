import { expect } from 'chai'
import type { Diagnostics } from '../../src/diagnostics/diagnostics.ts'
import { listIncidents } from '../../src/diagnostics/reports/incidents.ts'
import { groupOutages } from '../../src/diagnostics/reports/outages.ts'
import { type Database, openDatabase } from '../../src/storage/database.ts'
import type { CallTrace } from '../../src/upstream/request/call-trace.ts'
import { stores } from '../support/stores.ts'
import {
  callTrace,
  createDiagnosticsSetup,
  type DiagnosticsSetup,
  finishedRequest,
  okSection,
  START_MS,
  timedOutSection,
} from './diagnostics-setup.ts'

const acmeLive = { merchant: 'acme', mode: 'live' } as const

for (const store of stores()) {
  describe(`an outage that several processes see differently, over ${store.name}`, () => {
    let dbs: Database[]
    let setup: DiagnosticsSetup
    let one: Diagnostics
    let two: Diagnostics

    beforeEach(async () => {
      dbs = [await store.open(), await openDatabase(store.url())]
      setup = createDiagnosticsSetup()
      ;[one, two] = [setup.createProcess(dbs[0]!, 'one'), setup.createProcess(dbs[1]!, 'two')]
    })
    afterEach(async () => {
      for (const process of [one, two]) await process[Symbol.asyncDispose]()
      await dbs[1]!.destroy()
      await store.close()
    })

    const list = async () => (await listIncidents(dbs[0]!, { limit: 100 })).incidents
    const listEnds = async () => (await list()).map(({ answers, endedAt }) => [answers, endedAt])
    const readRespondingSince = async () => (await list()).map(({ respondingSince }) => respondingSince)
    const accounting = (operation: string, outcome: CallTrace['outcome'] = 'ok') =>
      callTrace({ system: 'accounting', operation, outcome })
    const call = (process: Diagnostics, operation: string, outcome: CallTrace['outcome'] = 'ok') =>
      process.recordCall(acmeLive, accounting(operation, outcome))
    function checkOut(process: Diagnostics, outcome: 'ok' | 'timeout') {
      const section = outcome === 'ok' ? okSection : timedOutSection
      call(process, 'placeOrder', outcome)
      process.recordRequest(
        finishedRequest({
          ...{ route: 'checkout', status: outcome === 'ok' ? 200 : 202, calls: [accounting('placeOrder', outcome)] },
          sections: [section('checkout', { system: 'accounting' })],
        }),
      )
    }
    function listOrdersWhilePaused(process: Diagnostics) {
      const calls = [callTrace({ system: 'accounting', operation: 'listOrders', outcome: 'circuit_open', attempts: 0 })]
      const sections = [timedOutSection('orders', { system: 'accounting' })]
      process.recordRequest(finishedRequest({ route: 'listOrders', status: 503, calls, sections }))
    }
    async function flushBoth() {
      for (const process of [one, two]) await process.flush()
    }

    it('is over when shoppers get current values of a mirror again, which another process follows', async () => {
      const product = { system: 'inventory', mirrored: true } as const
      const show = (section: typeof okSection) =>
        one.recordRequest(finishedRequest({ route: 'getProduct', calls: [], sections: [section('product', product)] }))
      const follow = (outcome: CallTrace['outcome']) =>
        two.recordCall(acmeLive, callTrace({ system: 'inventory', operation: 'changes', background: true, outcome }))
      follow('timeout')
      show(timedOutSection)
      await flushBoth()
      setup.now += 5_000
      // While the system fails, the mirror has current values of other products.
      show(okSection)
      await flushBoth()
      setup.now += 6_000
      await flushBoth()
      expect(await listEnds()).to.deep.equal([[1, null]])
      follow('ok')
      setup.now += 6_000
      follow('ok')
      await flushBoth()
      show(okSection)
      const shownAt = setup.now
      // A process counts as one that sees a failure for a minute.
      setup.now += 61_000
      await flushBoth()
      const [incident] = await list()
      expect(incident!.recoveredAt).to.equal(shownAt)
      expect(incident!.endedAt).to.be.a('number')
    })

    it('does not respond again while only one process cannot place orders, whatever calls succeed in the other', async () => {
      checkOut(one, 'timeout')
      await flushBoth()
      for (let round = 0; round < 6; round += 1) {
        setup.advance(5_000)
        for (const process of [one, two]) call(process, 'taxes')
        call(one, 'placeOrder', 'timeout')
        for (const process of [two, one]) {
          await process.flush()
          expect(await readRespondingSince(), `round ${round}`).to.deep.equal([null])
        }
      }
      call(one, 'placeOrder')
      setup.advance(1_000)
      await flushBoth()
      await flushBoth()
      const [since] = await readRespondingSince()
      expect(since).to.be.greaterThan(START_MS)
      for (let round = 0; round < 3; round += 1) {
        for (const process of [one, two]) call(process, 'taxes')
        setup.advance(1_000)
        await flushBoth()
        expect(await readRespondingSince()).to.deep.equal([since])
      }
    })

    it('does not respond again while an order that one process could not place fails in the other', async () => {
      checkOut(one, 'timeout')
      call(two, 'taxes')
      setup.advance(6_000)
      call(two, 'placeOrder', 'timeout')
      for (const process of [one, two]) call(process, 'taxes')
      await flushBoth()
      await flushBoth()
      expect(await readRespondingSince()).to.deep.equal([null])
    })

    it('is not over for one process while the other sees it, and is one incident', async () => {
      for (let round = 0; round < 4; round += 1) {
        checkOut(one, 'timeout')
        await flushBoth()
        for (let second = 0; second < 10; second += 1) {
          setup.advance(1_000)
          checkOut(two, 'ok')
          await flushBoth()
        }
      }
      expect(await listEnds()).to.deep.equal([[4, null]])
      checkOut(one, 'ok')
      await flushBoth()
      expect(await listEnds()).to.deep.equal([[4, START_MS + 30_000]])
    })

    it('is one incident when first one process sees it, and then both', async () => {
      checkOut(one, 'timeout')
      checkOut(two, 'ok')
      await flushBoth()
      setup.advance(20_000)
      checkOut(one, 'timeout')
      checkOut(two, 'timeout')
      await flushBoth()
      setup.advance(10_000)
      checkOut(one, 'ok')
      await flushBoth()
      expect(await listEnds(), 'two has not had a good response').to.deep.equal([[3, null]])
      checkOut(two, 'ok')
      await flushBoth()
      expect(await listEnds()).to.deep.equal([[3, START_MS + 20_000]])
    })

    it('does not wait for a process that was killed', async () => {
      checkOut(one, 'timeout')
      await one.flush()
      setup.advance(10_000)
      checkOut(two, 'ok')
      await two.flush()
      expect(await listEnds(), 'it may still run').to.deep.equal([[1, null]])
      setup.advance(1)
      await two.flush()
      expect(await listEnds()).to.deep.equal([[1, START_MS]])
    })

    it('does not wait for a process that was stopped', async () => {
      checkOut(one, 'timeout')
      await one[Symbol.asyncDispose]()
      setup.advance(5_000)
      checkOut(two, 'ok')
      await two.flush()
      expect(await listEnds()).to.deep.equal([[1, START_MS]])
    })

    it('does not wait for a process without calls for longer than a minute', async () => {
      checkOut(one, 'timeout')
      await flushBoth()
      for (const [ms, endedAt] of [
        [60_000, null],
        [1, START_MS],
      ] as const) {
        setup.advance(ms)
        checkOut(two, 'ok')
        await flushBoth()
        expect(await listEnds()).to.deep.equal([[1, endedAt]])
      }
    })

    it('is not ended by a process for which the system responded in between, while the other saw it fail all along', async () => {
      for (const process of [one, two]) checkOut(process, 'timeout')
      await flushBoth()
      for (let second = 0; second < 20; second += 1) {
        setup.advance(1_000)
        for (const operation of ['placeOrder', 'taxes']) {
          call(one, operation)
          call(two, operation, 'timeout')
        }
        await flushBoth()
      }
      call(one, 'taxes', 'timeout')
      checkOut(one, 'timeout')
      await flushBoth()
      expect(await listEnds()).to.deep.equal([[3, null]])
    })

    it('is another one if the system responded in between, and no process saw it fail meanwhile', async () => {
      for (const process of [one, two]) checkOut(process, 'timeout')
      await flushBoth()
      for (let second = 0; second < 100; second += 1) {
        setup.advance(1_000)
        call(one, 'taxes')
        await flushBoth()
      }
      for (const process of [two, one]) {
        call(process, 'taxes', 'timeout')
        checkOut(process, 'timeout')
      }
      await one.flush()
      await two.flush()
      expect(await listEnds()).to.deep.equal([
        [2, null],
        [2, START_MS],
      ])
    })

    it('is another one after two trials succeeded in one process, and the other made no call meanwhile', async () => {
      for (const process of [one, two]) call(process, 'taxes', 'timeout')
      setup.advance(1_000)
      call(one, 'taxes')
      setup.advance(1_000)
      const lastAt = setup.now
      listOrdersWhilePaused(one)
      await flushBoth()
      setup.advance(1_000)
      call(one, 'taxes')
      await flushBoth()
      setup.advance(40_000)
      for (const process of [two, one]) {
        checkOut(process, 'timeout')
        await process.flush()
      }
      await flushBoth()
      const outages = groupOutages(await list()).map(({ incidents }) =>
        incidents.map(({ section, endedAt }) => [section, endedAt]),
      )
      expect(outages).to.deep.equal([[['checkout', null]], [['orders', lastAt]]])
    })
  })
}
