import { expect } from 'chai'
import { sql } from 'kysely'
import type { Diagnostics } from '../../../src/diagnostics/diagnostics.ts'
import { buildTimeline } from '../../../src/diagnostics/reports/timeline.ts'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
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
const MINUTE = 60_000

for (const store of stores()) {
  describe(`the timeline over ${store.name}`, () => {
    let db: Database
    let setup: DiagnosticsSetup
    let process: Diagnostics

    openDiagnosticsForEach(store, (opened) => {
      ;({ db, setup, process } = opened)
    })

    const read = (of: Partial<Parameters<typeof buildTimeline>[1]> = {}) =>
      buildTimeline(db, {
        merchant: 'acme',
        mode: 'live',
        fromMs: START_MS,
        toMs: START_MS + 3 * MINUTE,
        step: 'minute',
        now: setup.now,
        ...of,
      })
    const series = async (kind: string, of: Parameters<typeof read>[0] = {}) =>
      (await read(of)).series.find((one) => one.kind === kind)

    it('has one step per minute with its counts', async () => {
      for (let time = 0; time < 99; time++) process.recordRequest(finishedCacheHit())
      process.recordRequest(finishedRequest({ ms: 900, sections: [timedOutSection('price')] }))
      setup.advance(2 * MINUTE + 30_000)
      process.recordRequest(
        finishedRequest({
          sections: [timedOutSection('price', { staleAsOf: START_MS }), okSection('product', { system: 'inventory' })],
        }),
      )
      await process.flush()
      const { times, stepMs, series: all } = await read()
      expect([stepMs, times]).to.deep.equal([MINUTE, [START_MS, START_MS + MINUTE, START_MS + 2 * MINUTE]])
      expect(all.map(({ kind, system, section }) => `${kind} ${system} ${section}`)).to.deep.equal([
        ...['answers  ', 'section inventory product', 'section pricing price'],
      ])
      expect(all[0]).to.deep.include({
        totals: [100, 0, 1],
        degraded: [1, 0, 1],
        stale: [0, 0, 1],
        degradedShare: [0.01, null, 1],
        p50Ms: [2.5, null, 12],
        p99Ms: [5, null, 12],
        longestMs: [900, null, 12],
      })
      expect(all[2]).to.deep.include({ totals: [1, 0, 1], degraded: [1, 0, 1], stale: [0, 0, 1] })
    })

    it('knows no longest response if a process of an earlier release has counted a longer one', async () => {
      process.recordRequest(finishedRequest({ ms: 12 }))
      await process.flush()
      await db
        .updateTable('timeline')
        .set((eb) => ({ total: eb('total', '+', 1), le_1000: eb('le_1000', '+', 1) }))
        .execute()
      const answers = await series('answers')
      expect(answers).to.deep.include({ totals: [2, 0, 0], p99Ms: [995, null, null], longestMs: [null, null, null] })
    })

    it('includes calls; those that were never sent have no latency', async () => {
      process.recordCall(acmeLive, callTrace({ ms: 40 }))
      process.recordCall(acmeLive, callTrace({ ms: 700, outcome: 'timeout' }))
      process.recordCall(acmeLive, callTrace({ ms: 0, attempts: 0, outcome: 'circuit_open' }))
      process.recordCall(acmeLive, callTrace({ ms: 3, outcome: 'aborted' }))
      await process.flush()
      const calls = await series('calls')
      expect(calls).to.deep.include({ system: 'pricing', section: '', totals: [3, 0, 0], degraded: [2, 0, 0] })
      expect([calls!.p50Ms[0], calls!.p99Ms[0]]).to.deep.equal([50, 696])
    })

    it('excludes background calls, but shows the circuit that they opened', async () => {
      const feed = { operation: 'changes', background: true, ms: 9_000 } as const
      process.recordCall(acmeLive, callTrace({ ms: 40 }))
      for (let time = 0; time < 99; time++) process.recordCall(acmeLive, callTrace({ ...feed, outcome: 'timeout' }))
      process.recordCall(acmeLive, callTrace({ ...feed, system: 'inventory' }))
      process.recordCircuitTransition(acmeLive, 'inventory', 'open')
      setup.advance(10_000)
      await process.flush()
      const { series: all, circuitPeriods: bands } = await read()
      const calls = all.filter(({ kind }) => kind === 'calls')
      expect(calls.map(({ system }) => system)).to.deep.equal(['pricing'])
      expect(calls[0]).to.deep.include({ totals: [1, 0, 0], degraded: [0, 0, 0] })
      expect([calls[0]!.p50Ms[0], calls[0]!.p99Ms[0]]).to.deep.equal([37.5, 40])
      expect(bands.map(({ system, state }) => [system, state])).to.deep.equal([['inventory', 'open']])
    })

    it('shows the share of failed checkouts by system', async () => {
      const of = { route: 'checkout', calls: [callTrace({ operation: 'quote' }), callTrace({ system: 'accounting' })] }
      for (let time = 0; time < 3; time++) process.recordRequest(finishedRequest(of))
      process.recordRequest(finishedRequest({ ...of, status: 504, sections: [timedOutSection('checkout')] }))
      await process.flush()
      const sections = (await read()).series.filter(({ kind }) => kind === 'section')
      expect(
        sections.map(({ system, section, totals, degraded }) => [system, section, totals[0], degraded[0]]),
      ).to.deep.equal([
        ['accounting', 'checkout', 3, 0],
        ['pricing', 'checkout', 4, 1],
      ])
    })

    it('counts exactly over several processes, by minute and by hour', async () => {
      const other = await openDatabase(store.url())
      const others = setup.createProcess(other, 'two')
      for (let time = 0; time < 120; time++) {
        process.recordRequest(finishedCacheHit())
        others.recordRequest(finishedRequest({ sections: [timedOutSection('price')] }))
        setup.advance(1_000)
        if (time % 7 === 0) await Promise.all([process.flush(), others.flush()])
      }
      await Promise.all([process.flush(), others.flush()])
      const minutes = await series('answers')
      expect([minutes!.totals, minutes!.degraded]).to.deep.equal([
        [120, 120, 0],
        [60, 60, 0],
      ])
      const hours = await series('answers', { step: 'hour', fromMs: START_MS, toMs: START_MS + 60 * MINUTE })
      expect([hours!.totals, hours!.degraded]).to.deep.equal([
        [240, 0],
        [120, 0],
      ])
      await others[Symbol.asyncDispose]()
      await other.destroy()
      expect(setup.errors).to.deep.equal([])
    })

    it('loses nothing while the store is unreachable', async () => {
      await sql`alter table timeline rename to away`.execute(db)
      for (let time = 0; time < 10; time++) {
        process.recordRequest(finishedCacheHit())
        setup.advance(10_000)
        await process.flush()
      }
      await sql`alter table away rename to timeline`.execute(db)
      await process.flush()
      expect((await series('answers'))!.totals).to.deep.equal([6, 4, 0])
      expect(setup.errors.length).to.be.within(1, 2)
    })

    it('keeps all hours and the last minutes of a store that was unreachable for a day', async () => {
      await sql`alter table timeline rename to away`.execute(db)
      for (let minute = 0; minute < 1_440; minute++) {
        process.recordRequest(finishedCacheHit())
        setup.advance(MINUTE)
        if (minute % 30 === 0) await process.flush()
      }
      await sql`alter table away rename to timeline`.execute(db)
      await process.flush()
      const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)
      const whole = { fromMs: START_MS, toMs: setup.now }
      expect(sum((await series('answers', { ...whole, step: 'hour' }))!.totals)).to.equal(1_440)
      expect(sum((await series('answers', whole))!.totals)).to.equal(120)
    })

    it('shows when circuits were open or held, including those that still are', async () => {
      const other = await openDatabase(store.url())
      const crashed = setup.createProcess(other, 'crashed')
      process.recordCircuitTransition(acmeLive, 'pricing', 'open')
      crashed.recordCircuitTransition(acmeLive, 'inventory', 'open')
      await crashed.flush()
      setup.advance(MINUTE)
      process.recordCircuitTransition(acmeLive, 'pricing', 'closed')
      setup.advance(MINUTE)
      process.recordCircuitTransition(acmeLive, 'accounting', 'held_open', { by: 'ida' })
      process.recordCircuitTransition(acmeLive, 'pricing', 'open')
      setup.advance(20_000)
      process.recordCircuitTransition(acmeLive, 'accounting', 'released', { by: 'ida' })
      setup.advance(10_000)
      await process.flush()
      const { circuitPeriods: bands } = await read()
      const shown = bands.map(({ system, process: of, state, fromMs, toMs }) => {
        return `${system} ${of} ${state} ${(fromMs - START_MS) / 1_000}–${(toMs - START_MS) / 1_000}`
      })
      expect(shown).to.have.members([
        ...['pricing one open 0–60', 'pricing one open 120–150', 'accounting one held_open 120–140'],
      ])
      // The circuit of a process that died ends with its last heartbeat.
      await db
        .updateTable('process_states')
        .set({ at: new Date(START_MS + 5_000).toISOString() })
        .where('process', '=', 'crashed')
        .execute()
      expect((await read()).circuitPeriods.find((band) => band.process === 'crashed')?.toMs).to.equal(START_MS + 5_000)
      await crashed[Symbol.asyncDispose]()
      await other.destroy()
    })

    it('ends the circuits of a process that shuts down', async () => {
      const passing = setup.createProcess(db, 'passing')
      passing.recordCircuitTransition(acmeLive, 'pricing', 'open')
      setup.advance(MINUTE)
      await passing[Symbol.asyncDispose]()
      setup.advance(MINUTE)
      expect((await read()).circuitPeriods.map(({ toMs }) => toMs)).to.deep.equal([START_MS + MINUTE])
    })
  })
}
