import { expect } from 'chai'
import { createMerchantDirectory } from '../../../src/console/merchant-directory.ts'
import { toNowPageView } from '../../../src/console/pages/now-page-view.ts'
import type { CurrentStatus, SystemStatus, TenantStatus } from '../../../src/diagnostics/status/current-status.ts'

const NOW = Date.parse('2026-11-21T19:30:00.000Z')
const merchants = createMerchantDirectory(
  [{ merchant: 'acme', name: 'Acme Parts', timeZone: 'America/Jamaica' }],
  () => NOW,
)

const well: SystemStatus = {
  ...{ system: 'pricing', state: 'closed', openIn: 0, held: null, calls: 1_234, errorRate: 0, p50Ms: 4, p99Ms: 12.4 },
  ...{ lastGoodAgeMs: null, impactText: [], incidents: [] },
}
const shop = (systems: SystemStatus[], of: Partial<TenantStatus> = {}): TenantStatus => ({
  ...{ merchant: 'acme', name: 'Acme Parts', mode: 'live', answers: 10, completeShare: 1, systems, ...of },
})
const shown = (...of: TenantStatus[]) => {
  const none = { count: 0, oldest: null }
  const webhooks = { failing: 0, struggling: 0, disabled: 0, due: none }
  const view: CurrentStatus = { at: NOW, processes: 1, merchants: of, waitingOrders: none, webhooks }
  return toNowPageView(view, merchants, ({ system }) => (system === 'fitment' ? null : `/circuits/acme/live/${system}`))
}
const incident = {
  ...{ incidentId: 'inc_1', section: 'price', beganAt: NOW - 60_000, lastAt: NOW - 1_000, answers: 1_500 },
  silent: false,
}

describe('what Now shows', () => {
  it('says that all is well while it is', () => {
    expect(shown(shop([well])).headline).to.deep.equal({ tone: 'well', word: 'All is well' })
  })

  it('names the system, the shop and the mode while something is degraded, with the way to the incident', () => {
    const { headline, merchants: of } = shown(shop([{ ...well, state: 'open', openIn: 1, incidents: [incident] }]))
    expect(headline).to.deep.equal({ tone: 'failing', word: 'Degraded: pricing of Acme Parts (live)' })
    expect(of[0]!.systems[0]).to.deep.include({
      pill: { tone: 'failing', word: 'Circuit open' },
      incidents: [
        {
          href: '/incidents/inc_1',
          name: 'Prices',
          since: { iso: '2026-11-21T19:29:00.000Z', text: '14:29:00 GMT-5' },
          answers: '1,500 answers',
        },
      ],
    })
  })

  it('says of what nobody asks for since when that is, and not that it is so now', () => {
    const silent = { ...incident, silent: true, lastAt: NOW - 30_000 }
    const { headline, merchants: of } = shown(shop([{ ...well, incidents: [silent] }]))
    expect(headline).to.deep.equal({ tone: 'warning', word: 'To watch: pricing of Acme Parts (live)' })
    expect(of[0]!.systems[0]).to.deep.include({
      isPresent: false,
      pill: { tone: 'warning', word: 'Nobody asked since' },
      words: ['Prices: no degraded answer since 14:29:30 GMT-5; nobody has asked since.'],
    })
  })

  it('counts them when they are many', () => {
    const bad = { ...well, incidents: [incident] }
    const systems = [bad, { ...bad, system: 'inventory' }]
    const { headline } = shown(shop(systems), shop(systems, { mode: 'sandbox' }))
    expect(headline.word).to.equal('Degraded: 4 systems of 2 shops')
  })

  it('names only what is degraded at this moment, while anything is', () => {
    const silent = { ...well, system: 'accounting', incidents: [{ ...incident, silent: true }] }
    const trying: SystemStatus = { ...well, system: 'fitment', state: 'half-open' }
    const bad = { ...well, incidents: [incident] }
    expect(shown(shop([bad, silent, trying])).headline).to.deep.equal({
      tone: 'failing',
      word: 'Degraded: pricing of Acme Parts (live)',
    })
    expect(shown(shop([silent, trying])).headline).to.deep.equal({
      tone: 'warning',
      word: 'To watch: accounting of Acme Parts (live), fitment of Acme Parts (live)',
    })
    const many = [bad, { ...bad, system: 'a' }, { ...bad, system: 'b' }, { ...bad, system: 'c' }]
    expect(shown(shop(many), shop([silent], { mode: 'sandbox' })).headline.word).to.equal(
      'Degraded: 4 systems of 1 shop',
    )
  })

  it('says how old what is served instead of a system is, and that nothing is', () => {
    const { systems } = shown(shop([well, { ...well, system: 'inventory', lastGoodAgeMs: 240_000 }])).merchants[0]!
    expect(systems.map(({ olderValues }) => olderValues)).to.deep.equal(['none', '4 min old'])
  })

  it('has the noun that goes with each number', () => {
    const { merchants: of, webhooks } = shown(shop([well], { answers: 1 }), shop([well], { mode: 'sandbox' }))
    expect(of.map(({ answers, answersNoun }) => `${answers} ${answersNoun}`)).to.deep.equal(['1 answer', '10 answers'])
    expect([webhooks.failingNoun, webhooks.dueNoun]).to.deep.equal(['endpoints', 'deliveries are'])
  })

  it('only warns of a circuit that is held closed, and says who holds it until when', () => {
    const held = { state: 'closed', untilMs: NOW + 300_000, by: 'ann' } as const
    const { headline, merchants: of } = shown(shop([{ ...well, held }]))
    expect(headline).to.deep.equal({ tone: 'warning', word: 'To watch: pricing of Acme Parts (live)' })
    expect(of[0]!.systems[0]).to.deep.include({
      pill: { tone: 'warning', word: 'Held closed' },
      held: { by: 'ann', until: { iso: '2026-11-21T19:35:00.000Z', text: '14:35:00 GMT-5' } },
    })
  })

  it('leads to the circuit of a system that has one', () => {
    const { systems } = shown(shop([well, { ...well, system: 'fitment' }])).merchants[0]!
    expect(systems.map(({ circuit }) => circuit)).to.deep.equal(['/circuits/acme/live/pricing', null])
  })

  it('has shops in trouble first, and those that nobody asks apart', () => {
    const names = (of: { mode: string }[]) => of.map(({ mode }) => mode)
    const view = shown(
      shop([well]),
      shop([{ ...well, state: 'half-open' }], { mode: 'sandbox', answers: 0, completeShare: null }),
    )
    expect([names(view.merchants), names(view.quiet)]).to.deep.equal([['sandbox', 'live'], []])
    const quiet = shown(shop([well], { answers: 0, completeShare: null }))
    expect([names(quiet.merchants), names(quiet.quiet)]).to.deep.equal([[], ['live']])
  })
})
