import { expect } from 'chai'
import { openOutageConsole } from './outage-console.ts'
import { toClock } from './outage-times.ts'
import { type SystemOutage, toRequests } from './system-outage.ts'

const garbage = { system: 'inventory', failure: 'invalid' } as const
const hang = { system: 'inventory', failure: 'timeout', summary: 'no response in 700 ms' } as const
const paused = { system: 'inventory', failure: 'circuit_open', openedBy: 'no response in 700 ms' } as const

describe('an incident whose cause changed before all processes saw the system respond', () => {
  const recordPhases = async (seconds: number) => {
    const outages = await openOutageConsole()
    const { clock, record, db } = outages
    const fail = (...failures: (typeof garbage | typeof hang | typeof paused)[]) => {
      const responses: SystemOutage['responses'] = failures.map((failure) => ({
        failed: [{ name: 'availability', ...failure }],
      }))
      return record(toRequests({ name: '', responses, list: [], page: [] }, clock.ms))
    }
    const times = [clock.ms]
    await fail(garbage, garbage, garbage)
    times.push(clock.ms - 1_000)
    clock.ms += seconds * 1_000
    times.push(clock.ms)
    await fail(hang, paused)
    times.push(clock.ms - 1_000)
    const { incident_id } = await db.selectFrom('incidents').select('incident_id').executeTakeFirstOrThrow()
    const page = await outages.readText(`/incidents/${incident_id}`)
    await outages[Symbol.asyncDispose]()
    return { page, times: times.map(toClock) }
  }

  it('lists from when to when it failed in which way', async () => {
    const { page, times } = await recordPhases(17)
    expect(page).to.include(
      'The cause changed Between these times, no response was degraded for five seconds or longer: inventory may have worked.',
    )
    expect(page).to.include(
      `From To How inventory failed Responses ${times[0]} ${times[1]} 3 × unreadable response 3 ${times[2]} ${times[3]} 2 × no response in 700 ms 2`,
    )
  })

  it('has no such list if responses were degraded all the time', async () => {
    expect((await recordPhases(2)).page).to.not.include('The cause changed')
  })
})
