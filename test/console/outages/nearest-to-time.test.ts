import { expect } from 'chai'
import { openOutageConsole } from './outage-console.ts'
import { MINUTE_MS, toClock, toLocalTime } from './outage-times.ts'
import type { SystemOutage } from './system-outage.ts'

const fail = (name: string, system: 'inventory' | 'pricing'): SystemOutage => ({
  ...{ name: '', list: [], page: [] },
  responses: [{ failed: [{ name, system, failure: 'timeout', summary: 'no response in 700 ms' }] }],
})

describe('the list of incidents around a time', () => {
  it('marks what began nearest to the time, and nothing without a time', async () => {
    await using outages = await openOutageConsole()
    const { clock, recordOutage, recover, readText } = outages
    const times: number[] = []
    for (const outage of [fail('price', 'pricing'), fail('availability', 'inventory')]) {
      times.push(clock.ms)
      await recordOutage(outage)
      await recover(outage)
      clock.ms += 4 * MINUTE_MS
    }
    const [first, second] = times as [number, number]
    for (const [at, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const list = await readText(`/incidents?at=${toLocalTime(at).slice(0, 16)}&zone=America/Jamaica`)
      expect(list)
        .to.include(`${toClock(at)} nearest to this time`)
        .and.include(toClock(other))
      expect(list.match(/nearest to this time/g)).to.have.length(1)
    }
    expect(await readText('/incidents')).to.not.include('nearest to this time')
  })
})
