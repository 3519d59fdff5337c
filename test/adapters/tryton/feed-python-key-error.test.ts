import { expect } from 'chai'
import { createScheduledJob } from '../../../src/changes/schedule/scheduled-job.ts'
import { createCall } from '../../support/create-call.ts'
import { startRecordedUpstream } from '../../support/recorded-upstream.ts'
import { connectTrytonPorts, recordedLogin } from '../../support/tryton/connect-tryton.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const query = { since: '2026-01-01T00:00:00.000Z', limit: 50, offset: 0 }
const methodOf = (asked: unknown) => (asked as { method: string }).method

/** A Tryton whose models have all fields, and whose every other call raises this error. */
const raising = (raised: string) => (asked: unknown) => {
  if (methodOf(asked) === 'common.db.login') return { status: 200, answer: { id: 1, result: [7, 'a'.repeat(64)] } }
  if (methodOf(asked).endsWith('.fields_get')) {
    const [fields] = (asked as { params: [string[]] }).params
    return { status: 200, answer: { id: 1, result: Object.fromEntries(fields.map((field) => [field, {}])) } }
  }
  return { status: 200, answer: { id: 1, error: [raised, ''] } }
}

describe('tryton: a change feed whose call raises a KeyError', () => {
  for (const [what, raised, restsMs] of [
    ['comes back soon, when the key is of something in the code there', "'stock_lot'", MINUTE_MS],
    ['comes back soon, when the key is no name', "'3'", MINUTE_MS],
    ['rests for an hour, when it is of a field that was asked for', "'write_date'", HOUR_MS],
  ] as const)
    it(what, async () => {
      const system = await startRecordedUpstream(raising(raised))
      const ports = connectTrytonPorts({ ...recordedLogin, address: system.address })
      try {
        let clock = 0
        const errors: unknown[] = []
        const round = createScheduledJob({
          now: () => clock,
          intervalMs: 30_000,
          random: () => 0.5,
          onError: (error) => errors.push(error),
          job: {
            name: 'orders',
            system: 'accounting',
            run: async () => void (await ports.accounting.orderChanges!(query, createCall())),
          },
        })
        await round.start()
        expect(errors).to.deep.equal([])
        clock = restsMs - 1
        expect(round.isDue(), 'before').to.equal(restsMs === MINUTE_MS)
        clock = restsMs
        expect(round.isDue()).to.equal(true)
      } finally {
        await ports.close()
        await system.end()
      }
    })
})
