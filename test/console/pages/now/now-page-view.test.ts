import { expect } from 'chai'
import { createMerchantDirectory } from '../../../../src/console/merchant-directory.ts'
import { toNowHeadline } from '../../../../src/console/pages/now/now-headline.ts'
import { toNowPageView } from '../../../../src/console/pages/now/now-page-view.ts'
import type { CurrentStatus, TenantStatus } from '../../../../src/diagnostics/status/current-status.ts'
import type { SystemStatus } from '../../../../src/diagnostics/status/system-status.ts'

const NOW = Date.parse('2026-11-21T19:30:00.000Z')
const merchants = createMerchantDirectory(
  [{ merchant: 'acme', name: 'Acme Parts', timeZone: 'America/Jamaica', currency: 'JMD' }],
  () => NOW,
)

const healthySystem: SystemStatus = {
  system: 'pricing',
  state: 'closed',
  openIn: 0,
  held: null,
  calls: 1_234,
  errorRate: 0,
  p50Ms: 4,
  p99Ms: 12.4,
  lastGoodAgeMs: null,
  impactText: [],
  incidents: [],
}
const tenant = (systems: SystemStatus[], changes: Partial<TenantStatus> = {}): TenantStatus => ({
  merchant: 'acme',
  name: 'Acme Parts',
  mode: 'live',
  answers: 10,
  completeShare: 1,
  systems,
  ...changes,
})
const note = { note_id: 'note_1', incident_id: 'inc_1', at: '2026-11-21T19:29:10.000Z', operator: 'ann' }
const care = new Map([['inc_1', [{ ...note, kind: 'acknowledged' as const, text: null }]]])
const toView = (...tenants: TenantStatus[]) => {
  const none = { count: 0, oldest: null }
  const webhooks = { failing: 0, named: [], recentlyFailing: [], disabled: 0, due: none }
  const status: CurrentStatus = {
    at: NOW,
    processes: 1,
    storeOutage: null,
    merchants: tenants,
    care,
    latestIncident: null,
    refusedKeys: [],
    failingChannels: [],
    tenantsWithKeys: null,
    storedAt: null,
    backlog: { waitingOrders: { ...none, first: [] }, webhooks, failedImports: [] },
  }
  return toNowPageView(
    { ...status, lateMirrors: [], unfilledMirrors: [], unreadMirrors: [], machine: 'shop-1' },
    merchants,
    ({ circuit }) => (circuit === 'fitment' ? null : `/circuits/acme/live/${circuit}`),
  )
}
const incident = {
  incidentId: 'inc_1',
  section: 'price',
  beganAt: NOW - 60_000,
  lastAt: NOW - 1_000,
  answers: 1_500,
  isInactive: false,
  recoveredAt: null,
  respondingSince: null,
  olderValues: 1_200,
  impact: null,
}

describe('the page Now', () => {
  it('shows that all systems are healthy', () => {
    expect(toView(tenant([healthySystem])).headline).to.deep.equal({ tone: 'well', text: 'All systems are healthy' })
  })

  it('warns of a revoked or expired key that is still used, but not of a foreign origin', () => {
    const headlineOf = (...reasons: ('revoked' | 'expired' | 'origin')[]) =>
      toNowHeadline([], null, { refusedKeys: reasons.map((reason) => ({ reason })) })
    expect(headlineOf('revoked', 'origin')).to.deep.equal({
      tone: 'warning',
      text: 'All systems are healthy, but 1 revoked or expired key is still used',
    })
    expect(headlineOf('revoked', 'expired').text).to.match(/but 2 revoked or expired keys are still used$/)
    expect(headlineOf('origin').tone).to.equal('well')
  })

  it('does not say that all is healthy when nobody used a shop, and names orders that wait', () => {
    expect(toNowHeadline([], null, { hasRequests: false })).to.deep.equal({
      tone: '',
      text: 'No requests in the last minute, and no ongoing failure is known',
    })
    expect(toNowHeadline([], null, { waitingOrders: 2 })).to.deep.equal({
      tone: 'warning',
      text: 'All systems are healthy, but 2 orders wait for accounting',
    })
    expect(
      toNowHeadline([], null, { failingEndpoints: 1, lateMirrors: 2, failedImports: 1, hasRequests: false }),
    ).to.deep.equal({
      tone: 'warning',
      text: 'No requests in the last minute, but 1 webhook endpoint fails, 2 catalog mirrors are not current, and 1 import failed',
    })
  })

  it('names the degraded system with its merchant and mode, and links to the incident', () => {
    const { headline, merchants: views } = toView(
      tenant([{ ...healthySystem, state: 'open', openIn: 1, incidents: [incident] }]),
    )
    expect(headline).to.deep.equal({ tone: 'failing', text: 'Degraded: pricing of Acme Parts (live)' })
    expect(views[0]!.systems[0]).to.deep.include({
      pill: { tone: 'failing', text: 'Calls paused' },
      incidents: [
        {
          href: '/incidents/inc_1',
          name: 'Prices',
          since: { iso: '2026-11-21T19:29:00.000Z', text: '14:29:00 GMT-5' },
          degradedCount: '1,500 degraded responses',
          olderCount: '1,200 with an older value, 300 without one',
          seen: '',
          care: 'acknowledged by ann',
        },
      ],
    })
  })

  it('says how a pause of the calls ends, outside of what is announced, and also while a call is tried', () => {
    const systemOf = (state: 'open' | 'half-open' | 'closed') =>
      toView(tenant([{ ...healthySystem, state }])).merchants[0]!.systems[0]!
    const [open, halfOpen] = [systemOf('open'), systemOf('half-open')]
    expect(open.callPauseHint).to.match(/After two successful trials in a row, calls are made again\.$/)
    expect(halfOpen).to.deep.include({ callPauseHint: open.callPauseHint, impactSentences: open.impactSentences })
    expect(systemOf('closed').callPauseHint).to.equal('')
  })

  it('says that nothing is known of a system while its calls are paused and not even a trial was made', () => {
    const uncalled = toView(tenant([{ ...healthySystem, state: 'open', calls: 0 }])).merchants[0]!.systems[0]!
    expect(uncalled.callPauseHint).to.include(
      'No call to pricing was made in the last minute, not even a trial, so whether it works again is not known.',
    )
  })

  it('shows an inactive incident as its latest known state, not as the current one', () => {
    const inactive = { ...incident, isInactive: true, lastAt: NOW - 30_000 }
    const { headline, merchants: views } = toView(tenant([{ ...healthySystem, calls: 0, incidents: [inactive] }]))
    expect(headline).to.deep.equal({ tone: 'warning', text: 'Warning: pricing of Acme Parts (live)' })
    expect(views[0]!.systems[0]).to.deep.include({
      isCurrent: false,
      pill: { tone: 'warning', text: 'No new requests' },
      impactSentences: ['Prices: no degraded response since 14:29:30 GMT-5, and no requests since then.'],
    })
    const totals = { ...inactive, section: 'pricing' }
    const checkout = { ...inactive, section: 'checkout', lastAt: NOW - 20_000 }
    const more = toView(tenant([{ ...healthySystem, incidents: [inactive, totals, checkout] }]))
    expect(more.merchants[0]!.systems[0]!.impactSentences).to.deep.equal([
      'Prices and cart totals: no degraded response since 14:29:30 GMT-5, and no requests since then.',
      'Checkout: no degraded response since 14:29:40 GMT-5, and no requests since then.',
    ])
  })

  it('says that a system responds again, although no request has shown that the section works', () => {
    const responding = { ...incident, isInactive: true, lastAt: NOW - 30_000, respondingSince: NOW - 20_000 }
    const { headline, merchants: views } = toView(tenant([{ ...healthySystem, calls: 6, incidents: [responding] }]))
    expect(headline).to.deep.equal({
      tone: 'warning',
      text: 'Responds again, not confirmed yet: pricing of Acme Parts (live)',
    })
    expect(views[0]!.systems[0]).to.deep.include({
      pill: { tone: 'warning', text: 'Responds again' },
      impactSentences: [
        'Prices: no degraded response since 14:29:30 GMT-5, and no requests since then.',
        'Pricing has responded again since 14:29:40 GMT-5 (other calls, also in the background). That these parts work again is confirmed by the next request for them.',
      ],
    })
    const unknown = { ...healthySystem, calls: 6, incidents: [{ ...responding, respondingSince: null }] }
    expect(toView(tenant([unknown])).merchants[0]!.systems[0]!.pill.text).to.equal('Not confirmed yet')
  })

  it('counts the degraded systems if there are more than three', () => {
    const degradedSystem = { ...healthySystem, incidents: [incident] }
    const systems = [degradedSystem, { ...degradedSystem, system: 'inventory' }]
    const { headline } = toView(tenant(systems), tenant(systems, { mode: 'sandbox' }))
    expect(headline.text).to.equal('Degraded: 4 systems of 2 merchants')
  })

  it('names only the systems that are degraded at this moment, if there are any', () => {
    const inactive = { ...healthySystem, system: 'accounting', incidents: [{ ...incident, isInactive: true }] }
    const halfOpen: SystemStatus = { ...healthySystem, system: 'fitment', state: 'half-open' }
    const degradedSystem = { ...healthySystem, incidents: [incident] }
    expect(toView(tenant([degradedSystem, inactive, halfOpen])).headline).to.deep.equal({
      tone: 'failing',
      text: 'Degraded: pricing of Acme Parts (live)',
    })
    expect(toView(tenant([inactive, halfOpen])).headline).to.deep.equal({
      tone: 'warning',
      text: 'Warning: accounting of Acme Parts (live), fitment of Acme Parts (live)',
    })
    const many = [
      degradedSystem,
      { ...degradedSystem, system: 'a' },
      { ...degradedSystem, system: 'b' },
      { ...degradedSystem, system: 'c' },
    ]
    expect(toView(tenant(many), tenant([inactive], { mode: 'sandbox' })).headline.text).to.equal(
      'Degraded: 4 systems of 1 merchant',
    )
  })

  it('shows the age of the oldest last-good value that is served, or none', () => {
    const { systems } = toView(
      tenant([healthySystem, { ...healthySystem, system: 'inventory', lastGoodAgeMs: 240_000 }]),
    ).merchants[0]!
    expect(systems.map(({ staleAge }) => staleAge)).to.deep.equal(['none', '4 min old'])
  })

  it('uses the singular or plural that goes with each number', () => {
    const { merchants: views, backlog } = toView(
      tenant([healthySystem], { answers: 1 }),
      tenant([healthySystem], { mode: 'sandbox' }),
    )
    expect(views.map(({ responses, responsesNoun }) => `${responses} ${responsesNoun}`)).to.deep.equal([
      '1 response',
      '10 responses',
    ])
    expect([backlog!.webhooks.failingNoun, backlog!.webhooks.dueNoun]).to.deep.equal(['endpoints', 'deliveries are'])
  })

  it('shows a warning for a circuit that is held closed, with the operator and the end of the hold', () => {
    const held = { state: 'closed', untilMs: NOW + 300_000, by: 'ann' } as const
    const { headline, merchants: views } = toView(tenant([{ ...healthySystem, held }]))
    expect(headline).to.deep.equal({ tone: 'warning', text: 'Warning: pricing of Acme Parts (live)' })
    expect(views[0]!.systems[0]).to.deep.include({
      pill: { tone: 'warning', text: 'Calls forced' },
      hold: { by: 'ann', until: { iso: '2026-11-21T19:35:00.000Z', text: '14:35:00 GMT-5' } },
    })
  })

  it('shows planned maintenance in yellow, with its end and what shoppers lack', () => {
    const held = { state: 'open', untilMs: NOW + 300_000, by: 'ann', isMaintenance: true } as const
    const { headline, merchants: views } = toView(tenant([{ ...healthySystem, state: 'open', held }]))
    expect(headline).to.deep.equal({ tone: 'warning', text: 'Planned maintenance: pricing of Acme Parts (live)' })
    expect(views[0]!.systems[0]).to.deep.include({
      pill: { tone: 'warning', text: 'Planned maintenance' },
      isCurrent: true,
      isPlanned: true,
      impactSentences: [
        'Planned maintenance until 14:35:00 GMT-5: no calls are made, and nobody is alerted.',
        'Prices or totals are missing or out of date. Checkout may be refused.',
      ],
    })
    const failing = { ...healthySystem, system: 'accounting', state: 'open' } as const
    expect(toView(tenant([{ ...healthySystem, state: 'open', held }, failing])).headline.text).to.equal(
      'Degraded: accounting of Acme Parts (live)',
    )
  })

  it('links to the circuit of a system that has one', () => {
    const { systems } = toView(tenant([healthySystem, { ...healthySystem, system: 'fitment' }])).merchants[0]!
    expect(systems.map(({ circuitHref }) => circuitHref)).to.deep.equal(['/circuits/acme/live/pricing', null])
  })

  it('lists unhealthy merchants first, and idle ones separately', () => {
    const listModes = (views: { mode: string }[]) => views.map(({ mode }) => mode)
    const view = toView(
      tenant([healthySystem]),
      tenant([{ ...healthySystem, state: 'half-open' }], { mode: 'sandbox', answers: 0, completeShare: null }),
    )
    expect([listModes(view.merchants), listModes(view.idleMerchants)]).to.deep.equal([['sandbox', 'live'], []])
    const idleView = toView(tenant([healthySystem], { answers: 0, completeShare: null }))
    expect([listModes(idleView.merchants), listModes(idleView.idleMerchants)]).to.deep.equal([[], ['live']])
  })
})
