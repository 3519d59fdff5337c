import { expect } from 'chai'
import { createMerchantDirectory } from '../../../../src/console/merchant-directory.ts'
import { toIncidentPageView } from '../../../../src/console/pages/incidents/incident-page-view.ts'
import { chooseTimelineRange } from '../../../../src/console/pages/timeline/timeline-ranges.ts'
import type { IncidentDetail } from '../../../../src/diagnostics/reports/incident-detail.ts'

const NOW = Date.parse('2026-11-21T19:30:00.000Z')
const at = (time: string) => Date.parse(`2026-11-21T${time}Z`)
const merchants = createMerchantDirectory(
  [{ merchant: 'acme', name: 'Acme Parts', timeZone: 'America/Jamaica', currency: 'JMD' }],
  () => NOW,
)
const incident: IncidentDetail = {
  impact: null,
  incidentId: 'inc_1',
  tenant: 'acme',
  mode: 'live',
  system: 'pricing',
  section: 'price',
  answers: 1_234,
  beganAt: at('19:05:00'),
  lastAt: at('19:06:40'),
  recoveredAt: null,
  respondingSince: null,
  endedAt: null,
  codes: [{ code: 'circuit_open', count: 1_200 }],
  causes: [],
  related: [],
  inSameResponses: [],
  sharedResponses: {},
  samples: [{ requestId: 'a&b', at: at('19:05:00'), code: 'downstream_timeout', route: 'getProduct' }],
  changes: [
    { circuit: 'pricing', at: at('19:05:01'), process: 'p1', state: 'open', by: null, causes: [] },
    { circuit: 'pricing', at: at('19:05:30'), process: 'p1', state: 'held_open', by: 'ann', causes: [] },
    { circuit: 'pricing', at: at('19:06:30'), process: 'p1', state: 'released', by: null, causes: [] },
  ],
}
const toView = (changes: Partial<IncidentDetail> = {}, now = NOW) =>
  toIncidentPageView({ ...incident, ...changes }, '/circuits/acme/live/pricing', merchants, now)

describe('the page of an incident', () => {
  it('shows since when it is ongoing, in the time zone of the merchant', () => {
    expect(toView({}, incident.lastAt + 10_000)).to.deep.include({
      isCurrent: true,
      pill: { tone: 'failing', text: 'Ongoing' },
      statusText:
        'The incident is ongoing. The first degraded response was sent at 14:05:00 GMT-5, the latest at 14:06:40 GMT-5. It ends after a good response, once no degraded one has been sent for five seconds.',
      degradedCount: '1,234',
      section: 'Prices',
      circuitHref: '/circuits/acme/live/pricing',
    })
  })

  it('says which pause of calls raised their number: of its own circuit, and not over before it began', () => {
    const causes = [{ kind: 'no response in 700 ms', count: 5 }]
    const pause = (circuit: string, time: string) => [
      { circuit, at: at(time), process: 'p1', state: 'open' as const, by: null, causes },
    ]
    const stock = { system: 'inventory', section: 'availability' }
    expect(toView({ ...stock, changes: pause('inventory', '19:05:01') }).pauseCauses).to.include('Calls were paused')
    expect(toView({ ...stock, changes: pause('inventory-search', '19:05:01') }).pauseCauses).to.equal('')
    const end = { circuit: 'inventory', process: 'p1', state: 'closed' as const, by: null, causes: [] }
    const before = pause('inventory', '19:04:30')
    const ended = (time: string) => ({ ...stock, changes: [...before, { ...end, at: at(time) }] })
    expect(toView(ended('19:05:01')).pauseCauses).to.include('Calls were paused')
    expect(toView(ended('19:04:59')).pauseCauses).to.equal('')
  })

  it('tells the failure of the system apart from the pause of calls that outlasted it', () => {
    const [taxes, checkout] = [{ section: 'tax' }, { section: 'checkout' }].map((of) => ({
      ...{ ...incident, system: 'accounting', causes: [{ kind: 'connection refused', count: 6 }], ...of },
    }))
    const change = { circuit: 'accounting', process: 'p1', by: null, causes: [] }
    const changes = [
      { ...change, state: 'open' as const, at: at('19:05:02') },
      { ...change, state: 'closed' as const, at: at('19:06:59') },
    ]
    const detail = { ...taxes!, beganAt: at('19:05:01'), changes, endedAt: at('19:06:40') }
    const related = [{ ...checkout!, lastAt: at('19:05:05'), endedAt: at('19:05:05'), respondingSince: at('19:05:09') }]
    expect(toView({ ...detail, related }).pauseAfterRecovery).to.equal(
      'Accounting itself failed from 14:05:00 GMT-5 to 14:05:09 GMT-5 at the latest. After that, Forecourt still paused calls until 14:06:59 GMT-5, so responses without a call were degraded until 14:06:40 GMT-5.',
    )
    const soon = [{ ...related[0]!, respondingSince: at('19:06:45') }]
    expect(toView({ ...detail, related: soon }).pauseAfterRecovery).to.equal('')
  })

  it('shows that there were no requests since, when the last degraded response is over ten seconds old', () => {
    const inactive = toView({}, incident.lastAt + 10_001)
    expect(inactive).to.deep.include({ isCurrent: false, pill: { tone: 'warning', text: 'No new requests' } })
    expect(inactive.statusText).to.match(/^No degraded response since 14:06:40 GMT-5, and no requests since then\. /)
  })

  it('says that the system responds again, and to whom nothing is to be told now, when no request has shown the section', () => {
    const causes = [{ kind: 'no response in 700 ms', count: 3 }]
    const responding = { section: 'checkout', causes, respondingSince: at('19:08:10') }
    const since = 'Pricing has responded again since 14:08:10 GMT-5 (other calls, also in the background). '
    const ask =
      ' Within a day, ask whoever runs pricing of Acme Parts whether the cause below was removed. If it was not, the failure can return.'
    expect(toView({ causes }, incident.lastAt + 60_000).toDo).to.match(/^Tell whoever runs pricing of Acme Parts now: /)
    const soon = { ...responding, respondingSince: incident.lastAt + 1_000 }
    expect([5_000, 5_001].map((ms) => toView(soon, incident.lastAt + ms).pill.text)).to.deep.equal([
      'Ongoing',
      'Responds again',
    ])
    const open = toView(responding, incident.lastAt + 100_000)
    expect(open.pill).to.deep.equal({ tone: 'warning', text: 'Responds again' })
    expect(open.toDo).to.equal(`Nothing is known to fail now. The next checkout shows whether that part works.${ask}`)
    expect(open.statusText)
      .to.include(`${since}No checkout since, so that part is not confirmed.`)
      .and.not.include('no requests since')
    const ended = toView({ ...responding, section: 'price', endedAt: incident.lastAt })
    expect(ended.toDo).to.equal(`Nothing is urgent.${ask}`)
    expect(ended.statusText).to.include(
      'Pricing responded again at 14:08:10 GMT-5 (other calls, also in the background). No request for prices before the incident counted as ended, so that part was not confirmed.',
    )
  })

  it('shows between which times it ended, or why it counts as ended', () => {
    const ended = { endedAt: incident.lastAt }
    expect(
      [toView({ ...ended, recoveredAt: at('19:06:42') }), toView(ended)].map(({ statusText }) => statusText),
    ).to.deep.equal([
      'The incident began at 14:05:00 GMT-5, and ended between 14:06:40 GMT-5 (last degraded response) and 14:06:42 GMT-5 (next good response).',
      'The incident began at 14:05:00 GMT-5. The last degraded response was sent at 14:06:40 GMT-5. There were no more requests for it before the incident counted as ended.',
    ])
  })

  it('says one time when the last degraded response and the next good one are of the same second', () => {
    const { statusText } = toView({ endedAt: incident.lastAt, recoveredAt: incident.lastAt + 400 })
    expect(statusText).to.equal(
      'The incident began at 14:05:00 GMT-5, and ended at 14:06:40 GMT-5 (last degraded response and, in the same second, next good response).',
    )
  })

  it('explains its codes and links to its requests', () => {
    const { codeTexts, samples } = toView()
    expect(codeTexts[0]).to.deep.include({ code: 'circuit_open', name: 'Calls paused', count: '1,200' })
    expect(samples[0]).to.deep.include({ href: '/request?id=a%26b', reason: 'No complete response in time' })
  })

  it('shows the changes of the circuit, with the operator', () => {
    expect(toView().circuitChanges.map(({ text }) => text)).to.deep.equal([
      'paused: the system failed too often',
      'stopped by ann: no calls are made',
      'released: the time that the operator chose has ended',
    ])
  })

  it('says once how a pause of the calls ends', () => {
    expect(toView().callPauseHint).to.match(/After two successful trials in a row, calls are made again\.$/)
    expect(toView({ changes: incident.changes.slice(1) }).callPauseHint).to.equal('')
  })

  it('shows how the system failed before the open circuit, and what to check', () => {
    const view = toView({
      codes: [
        { code: 'circuit_open', count: 1_200 },
        { code: 'downstream_unavailable', count: 34 },
      ],
      causes: [{ kind: 'connection refused', count: 1_234 }],
      changes: [
        {
          ...incident.changes[0]!,
          causes: [
            { kind: 'connection refused', count: 10 },
            { kind: 'HTTP 502', count: 2 },
          ],
        },
      ],
    })
    expect(view.causes).to.deep.equal([
      {
        name: 'Connection refused',
        count: '1,234',
        advice:
          'Nothing accepts connections at the address of the system. Is it running? Has its address or port changed?',
      },
    ])
    expect(view.pausedCount).to.equal('1,200')
    expect(view.codes.map(({ code }) => code)).to.deep.equal(['downstream_unavailable', 'circuit_open'])
    expect(view.circuitChanges[0]!.text).to.equal(
      'paused after 10 × connection refused, 2 × HTTP 502, calls in the background included',
    )
  })

  it('lists failures that differ only in how long a call was waited for as one', () => {
    const timeouts = [700, 2_450, 650].map((ms) => ({ kind: `no response in ${ms} ms`, count: 2 }))
    const view = toView({ causes: [{ kind: 'HTTP 502', count: 3 }, ...timeouts] })
    expect(view.causes.map(({ name, count }) => `${name}: ${count}`)).to.deep.equal([
      'No response in 650 to 2450 ms: 6',
      'HTTP 502: 3',
    ])
  })

  it('links to its part of the timeline', () => {
    expect(toView().timelineHref).to.equal(
      '/timeline?merchant=acme&mode=live&range=1h&at=2026-11-21T14%3A05&zone=America%2FJamaica&first=pricing.price',
    )
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
