import { expect } from 'chai'
import { describeDowntime } from '../../../src/console/text/downtime-text.ts'
import { listDowntimes } from '../../../src/diagnostics/reports/downtimes.ts'
import type { Database } from '../../../src/storage/database.ts'
import { insertProcessStart, recordProcessStop } from '../../../src/storage/diagnostics/process-runs.ts'
import { upsertProcessState } from '../../../src/storage/diagnostics/process-states.ts'
import { stores } from '../../support/stores.ts'

const START = Date.parse('2026-11-21T14:00:00.000Z')
const MINUTE = 60_000

for (const store of stores())
  describe(`the times in which Forecourt did not run: ${store.name}`, () => {
    let db: Database

    beforeEach(async () => {
      db = await store.open()
    })
    afterEach(() => store.close())

    const iso = (minutes: number) => new Date(START + minutes * MINUTE).toISOString()
    const startedAt = new Map<string, string>()
    const start = (process: string, minutes: number) => {
      startedAt.set(process, iso(minutes))
      return insertProcessStart(db, { at: iso(minutes), process, version: '0.1.0', config_digest: null })
    }
    const stop = (process: string, minutes: number) =>
      recordProcessStop(db, { at: startedAt.get(process)!, process }, iso(minutes))
    const beat = (process: string, minutes: number) =>
      upsertProcessState(db, { process, at: iso(minutes), document: '{}' })
    const list = async (from = 0, to = 60, now = 120) => {
      const [fromMs, toMs, nowMs] = [from, to, now].map((minutes) => START + minutes * MINUTE) as [
        number,
        number,
        number,
      ]
      const found = await listDowntimes(db, { fromMs, toMs, now: nowMs })
      return found.map(({ fromMs, isStopped, toMs }) => [
        fromMs === null ? null : (fromMs - START) / MINUTE,
        isStopped ? 'stopped' : 'killed',
        (toMs - START) / MINUTE,
      ])
    }

    it('are from the end of the last process to the next start', async () => {
      await start('first', 0)
      await beat('first', 10)
      await start('second', 12)
      await stop('second', 20)
      await start('third', 21)
      await beat('third', 60)
      expect(await list()).to.deep.equal([
        [10, 'killed', 12],
        [20, 'stopped', 21],
      ])
      expect(await list(13, 19)).to.deep.equal([])
      expect(await list(20.5, 20.6)).to.deep.equal([[20, 'stopped', 21]])
    })

    it('are none while another process runs, or while the processes of one start begin', async () => {
      await start('first', 0)
      await start('other', 0.5)
      await stop('first', 5)
      await start('second', 6)
      await beat('other', 60)
      await beat('second', 60)
      expect(await list()).to.deep.equal([])
    })

    it('are none beside a process that runs since before hundreds of others, until it ends', async () => {
      await start('steady', 0)
      for (let minute = 1; minute <= 205; minute++) {
        await start(`crashing ${minute}`, minute)
        await stop(`crashing ${minute}`, minute + 0.5)
      }
      await beat('steady', 205)
      expect(await list(0, 300)).to.deep.equal([])
      await stop('steady', 206)
      await start('next', 210)
      await beat('next', 215)
      expect(await list(0, 300, 215)).to.deep.equal([[206, 'stopped', 210]])
    })

    it('are none after the last heartbeat of a process that runs', async () => {
      await start('first', 0)
      await beat('first', 10)
      await start('second', 10.05)
      expect(await list(0, 60, 10.1)).to.deep.equal([])
      expect(await list(0, 60, 12)).to.deep.equal([[10, 'killed', 10.05]])
    })

    it('have no known beginning after a release that did not record its end', async () => {
      await start('earlier', 0)
      await start('first', 12)
      expect(await list()).to.deep.equal([[null, 'killed', 12]])
    })

    it('are told with both times, and how the last process ended', () => {
      const toTime = (ms: number) => `minute ${ms}`
      expect(describeDowntime({ fromMs: 10, isStopped: false, toMs: 12 }, toTime)).to.equal(
        'Forecourt did not run from minute 10 (its last sign of life: it was killed, or its machine failed) to minute 12, when it started again. Requests of this time got no response from Forecourt, and are not recorded.',
      )
      expect(describeDowntime({ fromMs: 10, isStopped: true, toMs: 12 }, toTime)).to.include('(when it was stopped)')
      expect(describeDowntime({ fromMs: null, isStopped: false, toMs: 12 }, toTime)).to.include(
        'Since when is not known.',
      )
    })
  })
