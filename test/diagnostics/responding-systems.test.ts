import { expect } from 'chai'
import { createIncidentBuffer } from '../../src/diagnostics/buffers/incident-buffer.ts'
import { createRespondingSystems } from '../../src/diagnostics/buffers/responding-systems.ts'

const TENANT = { merchant: 'acme', mode: 'live' } as const
const START = Date.parse('2026-11-21T12:00:00Z')

describe('a system that responded before it failed again', () => {
  const prices = (outcome: 'ok' | 'timeout') => ({ system: 'pricing', operation: 'prices', outcome }) as const

  for (const [what, responsesS, failedS, expected] of [
    ['for five seconds', [1, 6], 60, { from: START + 1_000, to: START + 6_000 }],
    ['twice, and did not fail for five seconds', [1, 2], 6, { from: START + 1_000, to: START + 2_000 }],
    ['twice, and failed soon after', [1, 2], 5, null],
    ['once', [1], 60, null],
  ] as const)
    it(`${what}: ${expected ? 'its next failure is another outage' : 'the outage goes on'}`, () => {
      const systems = createRespondingSystems()
      systems.recordCall(TENANT, prices('timeout'), START)
      for (const second of responsesS) systems.recordCall(TENANT, prices('ok'), START + second * 1_000)
      systems.recordCall(TENANT, prices('timeout'), START + failedS * 1_000)
      expect(systems.respondedBefore(TENANT, 'pricing', new Set(['quote']), START)).to.deep.equal(expected)
    })

  it('does not end an incident of a section that this process did not see fail', () => {
    const buffer = createIncidentBuffer()
    for (const [outcome, ms] of [['ok', 1_000] as const, ['ok', 10_000] as const, ['timeout', 60_000] as const])
      buffer.recordCall(TENANT, { ...prices(outcome), operation: 'placeOrder' } as never, START + ms)
    const iso = new Date(START).toISOString()
    const incident = { tenant_id: 'acme', mode: 'live', system: 'pricing', section: 'checkout' }
    expect(buffer.respondedBefore({ ...incident, began_at: iso, last_at: iso } as never)).to.equal(null)
  })
})
