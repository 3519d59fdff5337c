import { expect } from 'chai'
import { createMerchantDirectory } from '../../../src/console/merchant-directory.ts'
import { chooseTimelineRange, toIncidentPageView } from '../../../src/console/pages/incident-page-view.ts'
import type { IncidentDetail } from '../../../src/diagnostics/incidents.ts'

const NOW = Date.parse('2026-11-21T19:30:00.000Z')
const at = (time: string) => Date.parse(`2026-11-21T${time}Z`)
const merchants = createMerchantDirectory(
  [{ merchant: 'acme', name: 'Acme Parts', timeZone: 'America/Jamaica' }],
  () => NOW,
)
const incident: IncidentDetail = {
  ...{ incidentId: 'inc_1', tenant: 'acme', mode: 'live', system: 'pricing', section: 'price', answers: 1_234 },
  ...{ beganAt: at('19:05:00'), lastAt: at('19:06:40'), wellAt: null, endedAt: null },
  codes: [{ code: 'circuit_open', count: 1_200 }],
  samples: [{ requestId: 'a&b', at: at('19:05:00'), code: 'downstream_timeout', route: 'getProduct' }],
  changes: [
    { at: at('19:05:01'), process: 'p1', state: 'open', by: null },
    { at: at('19:05:30'), process: 'p1', state: 'held_open', by: 'ann' },
    { at: at('19:06:30'), process: 'p1', state: 'released', by: null },
  ],
}
const shown = (of: Partial<IncidentDetail> = {}, now = NOW) =>
  toIncidentPageView({ ...incident, ...of }, '/circuits/acme/live/pricing', merchants, now)

describe('what is said of an incident', () => {
  it('is since when it goes on, in the hours of the shop', () => {
    expect(shown({}, incident.lastAt + 10_000)).to.deep.include({
      isPresent: true,
      pill: { tone: 'failing', word: 'Goes on' },
      standing: 'It goes on: the first degraded answer was given at 14:05:00 GMT-5, the latest at 14:06:40 GMT-5.',
      answers: '1,234',
      name: 'Prices',
      circuit: '/circuits/acme/live/pricing',
    })
  })

  it('is that nobody asks, when no degraded answer came for ten seconds', () => {
    const silent = shown({}, incident.lastAt + 10_001)
    expect(silent).to.deep.include({ isPresent: false, pill: { tone: 'warning', word: 'Nobody asked since' } })
    expect(silent.standing).to.match(/^No degraded answer since 14:06:40 GMT-5; nobody has asked since\. /)
  })

  it('is that it is over, how long it lasted, and how that is known', () => {
    const over = { endedAt: incident.lastAt }
    expect([shown({ ...over, wellAt: at('19:06:42') }), shown(over)].map(({ standing }) => standing)).to.deep.equal([
      'It is over since 14:06:40 GMT-5, and lasted 1 min 40 s. It was seen well again at 14:06:42 GMT-5.',
      'It is over since 14:06:40 GMT-5, and lasted 1 min 40 s. Nobody has asked for it since, so it counts as over.',
    ])
  })

  it('is what its codes mean, and leads to its requests', () => {
    const { meanings, samples } = shown()
    expect(meanings[0]).to.deep.include({ code: 'circuit_open', name: 'Circuit open', count: '1,200' })
    expect(samples[0]).to.deep.include({ href: '/request?id=a%26b', code: 'No answer in time' })
  })

  it('is what the circuit did, and by whom', () => {
    expect(shown().changes.map(({ what }) => what)).to.deep.equal([
      'opened: the system failed too often, and is asked no more for a while',
      'held open by ann: the system is not asked',
      'let go of: the time of the hold was over',
    ])
  })

  it('leads to the part of the timeline that it lies in', () => {
    expect(shown().timeline).to.equal('/timeline?merchant=acme&mode=live&range=1h&at=2026-11-21T14%3A05')
    const hour = 3_600_000
    expect([0, 2, 12, 48, 480].map((hours) => chooseTimelineRange(hours * hour))).to.deep.equal([
      '1h',
      '6h',
      '24h',
      '7d',
      '30d',
    ])
  })
})
