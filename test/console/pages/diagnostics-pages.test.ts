import { expect } from 'chai'
import { pino } from 'pino'
import type { MerchantConfig } from '../../../src/config/config.ts'
import { createDiagnosticsPages } from '../../../src/console/page-list.ts'
import { createDiagnostics, type Diagnostics } from '../../../src/diagnostics/diagnostics.ts'
import type { RequestOutcome } from '../../../src/diagnostics/request-outcome.ts'
import type { Database } from '../../../src/storage/database.ts'
import { readOverridesSince } from '../../../src/storage/operators/overrides.ts'
import type { UpstreamRegistry } from '../../../src/upstream/upstream-registry.ts'
import { callTrace, okSection, requestOutcome, timedOutSection } from '../../diagnostics/diagnostics-setup.ts'
import { stores } from '../../support/stores.ts'
import { type OperatorSeat, startTestConsole, type TestConsole, toCookieHeader } from '../test-console.ts'

const merchant = (id: string, name: string) =>
  ({ merchant: id, name, timeZone: 'America/Jamaica', currency: 'JMD' }) as MerchantConfig
const HOSTILE = '<b>&"\'</b>'

for (const store of stores()) {
  describe(`the pages for those on call: ${store.name}`, () => {
    let db: Database
    let world: TestConsole
    let diagnostics: Diagnostics
    let looked: number

    beforeEach(async () => {
      db = await store.open()
      looked = 0
      world = await startTestConsole(db, ({ now }) => {
        diagnostics = createDiagnostics({
          db,
          now,
          process: 'one',
          timed: false,
          onError: (error) => expect.fail(String(error)),
        })
        const states: UpstreamRegistry['states'] = () => [
          { merchant: 'acme', mode: 'live', system: 'pricing', state: 'open', held: null },
        ]
        const merchants = [merchant('acme', 'Acme Parts'), merchant('zenith', 'Zenith')]
        const directives = {
          async poll() {
            looked += 1
          },
        }
        const logger = pino({ level: 'silent' })
        return createDiagnosticsPages({ db, now, logger, merchants, diagnostics, directives, upstreams: { states } })
      })
    })
    afterEach(async () => {
      await world[Symbol.asyncDispose]()
      await diagnostics[Symbol.asyncDispose]()
      await store.close()
    })

    async function observe(of: Partial<RequestOutcome> = {}): Promise<void> {
      const sections = [okSection('product', { system: 'inventory' }), timedOutSection('price')]
      const at = world.clock.ms - 700
      const calls = [callTrace({ at, ms: 699, outcome: 'timeout', cause: 'no answer in time' })]
      diagnostics.recordRequest(requestOutcome({ sections, calls, ms: 700, ...of }))
      await diagnostics.flush()
    }
    const text = async (seat: OperatorSeat, path: string) => {
      const { status, text: html } = await world.read(seat, path)
      expect(status, path).to.equal(200)
      return html.replace(/<script.*?<\/script>|<[^>]+>/g, ' ').replace(/\s+/g, ' ')
    }
    /** Sam has to sign in again by then. */
    async function later(hours: number): Promise<OperatorSeat> {
      world.clock.ms += hours * 3_600_000
      return { cookie: toCookieHeader(await world.signIn('sam')), csrf: '' }
    }
    const links = async (seat: OperatorSeat, path: string, like: RegExp) =>
      [...(await world.read(seat, path)).text.matchAll(/href="([^"]+)"/g)]
        .map(([, to]) => to!)
        .filter((to) => like.test(to))

    it('say what went on at a time of the shop, and what had ended shortly before', async () => {
      await observe()
      const seat = await world.seat('sam', 'support')
      const local = (minutes: number) =>
        new Date(world.clock.ms + minutes * 60_000 - 5 * 3_600_000).toISOString().slice(0, 16)
      const at = (minutes: number) => text(seat, `/incidents?at=${local(minutes)}`)
      expect(await at(1)).to.include('Prices')
      expect(await at(-60)).to.include('None at that time')
      expect(await text(seat, '/incidents?at=lunch')).to.include('Prices')
    })

    it('lead from Now to the incident, from there to a request, and back', async () => {
      await observe({ requestId: 'req-1' })
      const seat = await world.seat('sam', 'support')
      expect(await text(seat, '/')).to.include('Degraded: pricing of Acme Parts (live)')
      const [incident] = await links(seat, '/', /^\/incidents\/./)
      const told = await text(seat, incident!)
      for (const said of [
        'Prices of Acme Parts',
        'It goes on',
        '09:05:00 GMT-5',
        'No answer in time',
        'downstream_timeout',
      ])
        expect(told).to.include(said)
      const [request] = await links(seat, incident!, /^\/request\?id=/)
      const record = await text(seat, request!)
      for (const said of ['Prices (pricing): no answer in time', '700 ms of the 2,500 ms', 'GET /v1/products/BP-1'])
        expect(record).to.include(said)
      expect(await links(seat, request!, /^\/incidents\/./)).to.deep.equal([incident])
    })

    it('show the incidents of a merchant, a mode and a state alone when asked', async () => {
      await observe()
      await observe({ tenant: 'zenith', mode: 'sandbox' })
      const seat = await world.seat('sam', 'support')
      const found = async (query: string) => (await links(seat, `/incidents?${query}`, /^\/incidents\/./)).length
      expect([
        await found(''),
        await found('merchant=acme'),
        await found('merchant=acme&mode=sandbox'),
        await found('state=open'),
        await found('state=over'),
        await found('before=nonsense'),
      ]).to.deep.equal([2, 1, 0, 2, 0, 2])
    })

    it('give the timeline as a page and in numbers', async () => {
      await observe()
      world.clock.ms += 30_000
      const seat = await world.seat('sam', 'support')
      expect(await text(seat, '/timeline?merchant=acme&range=1h')).to.include('Degraded: 1 of 1 answer (100 %)')
      const { body } = await world.read(seat, '/timeline/series?merchant=acme&mode=live&range=1h')
      expect(body.timeZone).to.equal('America/Jamaica')
      expect(body.charts['section pricing price'].degraded).to.include(100)
      for (const range of ['6h', '24h', '7d', '30d', 'nonsense'])
        expect(await text(seat, `/timeline?range=${range}`)).to.include('Prices (pricing)')
    })

    it('say why a request is not there, and show what is asked for as text', async () => {
      const seat = await world.seat('sam', 'support')
      const { text: html } = await world.read(seat, `/request?${new URLSearchParams({ id: HOSTILE })}`)
      expect(html).to.include('There is no record of this request').and.to.not.include(HOSTILE)
      expect(html).to.include('degraded').and.to.include('slow').and.to.include('refused').and.to.include('30 days')
      expect(html).to.not.match(/went well/i)
    })

    it('say since when nobody asks for what was degraded', async () => {
      await observe()
      const seat = await world.seat('sam', 'support')
      expect(await text(seat, '/incidents')).to.include('Goes on')
      world.clock.ms += 10_001
      const now = await text(seat, '/')
      expect(now).to.include('Prices: no degraded answer since 09:05:00 GMT-5; nobody has asked since.')
      expect(now).to.not.include('what shoppers see')
      expect(await text(seat, '/incidents'))
        .to.include('Nobody asked since')
        .and.to.not.include('Goes on')
      const [incident] = await links(seat, '/incidents', /^\/incidents\/./)
      expect(await text(seat, incident!))
        .to.include('nobody has asked since')
        .and.to.not.include('What shoppers see')
    })

    it('show of the timeline what lies around a time of the shop, and lead there from an incident', async () => {
      await observe()
      let seat = await world.seat('sam', 'support')
      const [incident] = await links(seat, '/', /^\/incidents\/./)
      const [around] = await links(seat, incident!, /^\/timeline\?/)
      seat = await later(5)
      await diagnostics.flush()
      const asked = around!.replaceAll('&amp;', '&')
      expect(asked).to.equal('/timeline?merchant=acme&mode=live&range=1h&at=2026-11-21T09%3A05')
      expect(await text(seat, asked))
        .to.include('Degraded: 1 of 1 answer (100 %)')
        .and.to.include('America/Jamaica')
      expect(await text(seat, '/timeline?merchant=acme&mode=live&range=1h')).to.include('Nobody asked this shop')
      const { body } = await world.read(seat, asked.replace('?', '/series?'))
      const middle = Date.parse('2026-11-21T14:05:00.000Z') / 1_000
      expect([body.from, body.to]).to.deep.equal([middle - 1_800, middle + 1_800])
      const kept = await links(seat, asked, /range=(6h|24h)/)
      expect(kept.map((to) => to.includes('at=2026-11-21T09%3A05'))).to.deep.equal([true, true])
      expect(await text(seat, asked.replace(/at=.*/, 'at=lunch'))).to.include('Nobody asked this shop')
      seat = await later(50)
      expect(await text(seat, asked), 'in hours, when minutes are kept no longer').to.include('Degraded: 1 of 1')
    })

    it('begin with the mode that was used in the last day, when none is named', async () => {
      let seat = await world.seat('sam', 'support')
      const chosen = async (path: string) =>
        /<option selected>(live|sandbox)/.exec((await world.read(seat, path)).text)?.[1]
      const both = async () => [await chosen('/timeline'), await chosen('/request')]
      expect(await both()).to.deep.equal(['live', 'live'])
      await observe({ mode: 'sandbox' })
      expect(await both()).to.deep.equal(['sandbox', 'sandbox'])
      expect(await chosen('/timeline?mode=live')).to.equal('live')
      seat = await later(25)
      expect(await both()).to.deep.equal(['live', 'live'])
      await observe({ mode: 'sandbox' })
      await observe()
      expect(await both()).to.deep.equal(['live', 'live'])
    })

    it('say that a merchant or a mode is not there, with those to choose from, and show no other', async () => {
      await observe()
      const seat = await world.seat('sam', 'support')
      for (const path of ['/timeline', '/incidents', '/request']) {
        const { status, text: html } = await world.read(seat, `${path}?merchant=zzz&mode=live`)
        expect(status, path).to.equal(404)
        expect(html)
          .to.include('There is no merchant <code>zzz</code>')
          .and.to.include(`href="${path}?merchant=acme&amp;mode=live">Acme Parts</a>`)
          .and.to.not.include('<h2')
        const ofMode = await world.read(seat, `${path}?merchant=acme&mode=test`)
        expect([ofMode.status, ofMode.text.includes('There is no mode <code>test</code>')]).to.deep.equal([404, true])
        expect((await world.read(seat, `${path}?merchant=&mode=`)).status, path).to.equal(200)
      }
      expect((await world.read(seat, '/timeline/series?merchant=zzz')).status).to.equal(404)
      const hostile = `/timeline?${new URLSearchParams({ merchant: HOSTILE })}`
      expect((await world.read(seat, hostile)).text)
        .to.include('There is no merchant')
        .and.to.not.include(HOSTILE)
    })

    it('say one answer of one, and what stands in for a system', async () => {
      await observe()
      const seat = await world.seat('sam', 'support')
      expect(await text(seat, '/'))
        .to.match(/ 1 answer 0 % complete/)
        .and.to.include('Older values served instead')
      expect((await world.read(seat, '/')).text).to.match(/<th [^>]*title="How old the oldest value is[^"]*">Older/)
    })

    it('answer 404 for an incident or a circuit that is not there', async () => {
      const seat = await world.seat('ann', 'operator')
      for (const path of ['/incidents/inc_none', '/circuits/acme/live/accounting', '/circuits/nobody/live/pricing'])
        expect((await world.read(seat, path)).status, path).to.equal(404)
    })

    it('have a circuit held in every process, at once in this one', async () => {
      const seat = await world.seat('ann', 'operator')
      const { status, headers } = await world.act(seat, '/circuits/acme/live/pricing/hold', {
        state: 'open',
        minutes: '15',
      })
      expect([status, headers.location]).to.deep.equal([303, '/circuits/acme/live/pricing'])
      const { holds } = await readOverridesSince(db, world.clock.ms, world.clock.ms)
      expect(holds).to.have.lengthOf(1)
      expect(holds[0]).to.include({
        ...{ merchant: 'acme', mode: 'live', system: 'pricing', state: 'open' },
        by: 'ann',
      })
      expect(holds[0]!.untilMs).to.equal(world.clock.ms + 15 * 60_000)
      expect(looked).to.equal(1)
    })

    it('have nothing done that is not well said, and say why', async () => {
      const seat = await world.seat('ann', 'operator')
      const hold = '/circuits/acme/live/pricing/hold'
      const asked: [path: string, form: Record<string, string>, why: RegExp][] = [
        [hold, { state: 'ajar', minutes: '5' }, /held open or closed/],
        [hold, { state: 'open', minutes: '61' }, /from 1 to 60/],
        [hold, { state: 'open', minutes: '' }, /from 1 to 60/],
        ['/circuits/acme/live/fitment/hold', { state: 'open', minutes: '5' }, /no such circuit/],
        ['/cache/purge', { merchant: 'acmee' }, /no such shop/],
        ['/cache/purge', { merchant: 'acme', mode: 'test' }, /no such mode/],
        ['/cache/purge', { merchant: 'acme', skus: ' \n ' }, /one SKU at least/],
        ['/cache/purge', { merchant: 'acme', skus: Array.from({ length: 501 }, (_, at) => at).join('\n') }, /500 SKUs/],
      ]
      for (const [path, form, why] of asked) {
        const { status, headers } = await world.act(seat, path, form)
        expect(status, String(why)).to.equal(303)
        const cookie = [seat.cookie, ...(headers['set-cookie'] ?? []).map((set) => set.split(';')[0])].join('; ')
        expect((await world.read({ ...seat, cookie }, '/cache')).text).to.match(why)
      }
      expect(await readOverridesSince(db, 0, world.clock.ms)).to.deep.equal({ holds: [], purges: [] })
      const outcomes = await db
        .selectFrom('audit_log')
        .select('outcome')
        .where('action', 'in', ['breaker.hold', 'cache.purge'])
        .execute()
      expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(asked.map(() => 'failed'))
    })

    it('purge some products, a merchant, or everything', async () => {
      const seat = await world.seat('ann', 'operator')
      await world.act(seat, '/cache/purge', { merchant: 'acme', mode: 'live', skus: 'BP 1\r\nBP-2\r\nBP-2\r\n' })
      world.clock.ms += 1
      await world.act(seat, '/cache/purge', { merchant: 'acme', mode: '' })
      world.clock.ms += 1
      await world.act(seat, '/cache/purge')
      const { purges } = await readOverridesSince(db, 0, world.clock.ms)
      expect(purges.map(({ merchant: of, mode, skus, by }) => [of, mode, skus, by])).to.deep.equal([
        ['acme', 'live', ['BP 1', 'BP-2'], 'ann'],
        ['acme', null, null, 'ann'],
        [null, null, null, 'ann'],
      ])
    })

    it('let support do none of that', async () => {
      const seat = await world.seat('sam', 'support')
      for (const path of ['/circuits/acme/live/pricing/hold', '/circuits/acme/live/pricing/release', '/cache/purge'])
        expect((await world.act(seat, path, { state: 'open', minutes: '5' })).status, path).to.equal(403)
      expect((await world.read(seat, '/cache')).status).to.equal(403)
      expect((await world.read(seat, '/circuits/acme/live/pricing')).text).to.not.include('/hold"')
      expect(await readOverridesSince(db, 0, world.clock.ms)).to.deep.equal({ holds: [], purges: [] })
    })
  })
}
