import { expect } from 'chai'
import type { Incident } from '../../../src/diagnostics/reports/incidents.ts'
import { groupOutages } from '../../../src/diagnostics/reports/outages.ts'

const createIncident = (incidentId: string, of: Partial<Incident>): Incident => ({
  incidentId,
  tenant: 'acme',
  mode: 'live',
  system: 'pricing',
  section: 'price',
  beganAt: 0,
  lastAt: of.endedAt ?? 0,
  recoveredAt: null,
  respondingSince: null,
  endedAt: null,
  answers: 1,
  codes: [],
  causes: [],
  impact: null,
  ...of,
})
const group = (...incidents: Incident[]) =>
  groupOutages(incidents).map(({ incidents }) => incidents.map(({ incidentId }) => incidentId))

describe('outages', () => {
  it('are the incidents of one system that overlap', () => {
    const incidents = [
      createIncident('totals', { beganAt: 50 }),
      createIncident('prices', { beganAt: 20, endedAt: 60 }),
      createIncident('taxes', { beganAt: 10, endedAt: 30 }),
      createIncident('earlier', { beganAt: -20_000, endedAt: -10_000, recoveredAt: -9_000 }),
    ]
    expect(group(...incidents)).to.deep.equal([['totals', 'prices', 'taxes'], ['earlier']])
    expect(groupOutages(incidents)[0]).to.deep.include({ beganAt: 10, endedAt: null })
  })

  it('have what was still open when a section began to fail, although no response was degraded then', () => {
    const before = [
      createIncident('taxes', { beganAt: 102, lastAt: 102 }),
      createIncident('lists', { beganAt: 6, lastAt: 60 }),
      createIncident('checkout', { beganAt: 0, lastAt: 1 }),
    ]
    const after = before.map((incident) => ({ ...incident, endedAt: incident.lastAt, recoveredAt: 110 }))
    for (const incidents of [before, after]) {
      expect(group(...incidents)).to.deep.equal([['taxes', 'lists', 'checkout']])
      expect(groupOutages(incidents)[0]!.beganAt).to.equal(0)
    }
    expect(groupOutages(after)[0]!.endedAt).to.equal(102)
  })

  it('are two if a section shows that the system responded in between, although another was not confirmed', () => {
    const incidents = [
      createIncident('taxes', { beganAt: 55_000, endedAt: 80_000, recoveredAt: 90_000 }),
      createIncident('checkout', { beganAt: 54_000, endedAt: 58_000, recoveredAt: 90_000 }),
      createIncident('lists', { beganAt: 9_000, endedAt: 10_000, respondingSince: 61_000 }),
      createIncident('earlier taxes', { beganAt: 0, endedAt: 9_500, recoveredAt: 11_000 }),
    ]
    expect(group(...incidents)).to.deep.equal([
      ['taxes', 'checkout'],
      ['lists', 'earlier taxes'],
    ])
  })

  it('are never those of two systems, two merchants, two modes, or of no system', () => {
    const others = [{ system: 'inventory' }, { tenant: 'zenith' }, { mode: 'sandbox' as const }, { system: '' }]
    const incidents = ['a', 'b', 'c', 'd'].map((id, index) => createIncident(id, others[index]!))
    expect(group(createIncident('own', {}), ...incidents)).to.deep.equal([['own'], ['a'], ['b'], ['c'], ['d']])
    expect(group(createIncident('e', { system: '' }), createIncident('f', { system: '' }))).to.have.length(2)
  })
})
