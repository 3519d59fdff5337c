import { expect } from 'chai'
import { describeServerStart } from '../../../src/console/text/server-start-text.ts'
import { listServerStarts } from '../../../src/diagnostics/reports/server-starts.ts'
import type { Database } from '../../../src/storage/database.ts'
import { insertProcessStart } from '../../../src/storage/diagnostics/process-runs.ts'
import { stores } from '../../support/stores.ts'

const START = Date.parse('2026-11-21T14:00:00.000Z')
const MINUTE = 60_000

for (const store of stores())
  describe(`the starts of the server: ${store.name}`, () => {
    let db: Database

    beforeEach(async () => {
      db = await store.open()
    })
    afterEach(() => store.close())

    const start = (minutes: number, version: string, config_digest: string | null) =>
      insertProcessStart(db, {
        at: new Date(START + minutes * MINUTE).toISOString(),
        process: `host/${minutes}/x`,
        version,
        config_digest,
      })
    const texts = async (fromMinute: number, toMinute: number) => {
      const period = { fromMs: START + fromMinute * MINUTE, toMs: START + toMinute * MINUTE }
      return (await listServerStarts(db, period)).map((one) => [(one.atMs - START) / MINUTE, describeServerStart(one)])
    }

    it('are restarts, deployments and changed configurations, compared with the start before', async () => {
      await start(0, '0.1.0', 'a')
      await start(10, '0.1.0', 'a')
      await start(20, '0.1.0', 'b')
      await start(30, '0.2.0', 'b')
      await start(40, '0.3.0', null)
      expect(await texts(0, 60)).to.deep.equal([
        [0, 'Version 0.1.0 started'],
        [10, 'Restarted'],
        [20, 'Started with a changed configuration'],
        [30, 'Version 0.2.0 started; before, it was 0.1.0'],
        [40, 'Version 0.3.0 started with a changed configuration; before, it was 0.2.0'],
      ])
      expect(await texts(25, 35)).to.deep.equal([[30, 'Version 0.2.0 started; before, it was 0.1.0']])
      expect(await texts(41, 60)).to.deep.equal([])
    })

    it('are one for processes that start one after the other', async () => {
      await start(0, '0.1.0', 'a')
      for (const at of [10, 10.5, 11.25, 12]) await start(at, '0.2.0', 'a')
      await start(14, '0.2.0', 'a')
      expect(await texts(1, 60)).to.deep.equal([
        [10, 'Version 0.2.0 started; before, it was 0.1.0 (4 processes)'],
        [14, 'Restarted'],
      ])
    })
  })
