import { expect } from 'chai'
import { pino } from 'pino'
import type { MerchantConfig } from '../../../src/config/merchant-config.ts'
import { createDiagnosticsPages } from '../../../src/console/all-console-pages.ts'
import { createDiagnostics, type Diagnostics } from '../../../src/diagnostics/diagnostics.ts'
import type { FinishedRequest } from '../../../src/diagnostics/finished-request.ts'
import { insertCart } from '../../../src/storage/commerce/carts.ts'
import type { Database } from '../../../src/storage/database.ts'
import {
  insertOutageNotice,
  listOutageNotices,
  updateOutageNotice,
} from '../../../src/storage/diagnostics/outage-notices.ts'
import { insertProcessStart } from '../../../src/storage/diagnostics/process-runs.ts'
import { issueApiKey, revokeApiKey } from '../../../src/storage/keys/api-keys.ts'
import { writeAuditEntry } from '../../../src/storage/operators/audit-log.ts'
import { readHoldsAndPurgesSince } from '../../../src/storage/operators/holds-and-purges.ts'
import { listMaintenance } from '../../../src/storage/operators/system-maintenance.ts'
import type { StoreOutage } from '../../../src/storage/store-monitor.ts'
import type { UpstreamRegistry } from '../../../src/upstream/upstream-registry.ts'
import { callTrace, finishedRequest, okSection, timedOutSection } from '../../diagnostics/diagnostics-setup.ts'
import { stores } from '../../support/stores.ts'
import { type OperatorBrowser, startTestConsole, type TestConsole, toCookieHeader } from '../test-console.ts'

const contact = { name: 'Lee Wong', phone: '+1 876 555-0100' }
const merchant = (id: string, name: string) =>
  ({
    merchant: id,
    name,
    timeZone: 'America/Jamaica',
    currency: 'JMD',
    live: { pricing: { contact } },
  }) as MerchantConfig
const HOSTILE = '<b>&"\'</b>'

/** Makes each query of a store fail as if it did not answer, until the returned object is disposed. */
function breakStore(db: Database): Disposable {
  const executor = db.getExecutor()
  const provideConnection = executor.provideConnection
  executor.provideConnection = () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
  return {
    [Symbol.dispose]() {
      executor.provideConnection = provideConnection
    },
  }
}

for (const store of stores()) {
  describe(`the diagnostics pages: ${store.name}`, () => {
    let db: Database
    let testConsole: TestConsole
    let diagnostics: Diagnostics
    let outageOf: { outage: StoreOutage | null }
    let pollCount: number
    /** The machine may be slow. */
    const storeWaitMs = 60_000

    beforeEach(async () => {
      db = await store.open()
      pollCount = 0
      outageOf = { outage: null }
      testConsole = await startTestConsole(db, ({ now }) => {
        diagnostics = createDiagnostics({
          db,
          store: outageOf,
          now,
          process: 'one',
          timed: false,
          onError: (error) => expect.fail(String(error)),
        })
        const states: UpstreamRegistry['states'] = () => [
          {
            merchant: 'acme',
            mode: 'live',
            system: 'pricing',
            circuit: 'pricing',
            state: 'open',
            held: null,
            rejectsCalls: false,
          },
          {
            merchant: 'zenith',
            mode: 'live',
            system: 'inventory',
            circuit: 'inventory',
            state: 'closed',
            held: null,
            rejectsCalls: false,
          },
          {
            ...{ merchant: 'zenith', mode: 'live', system: 'inventory', circuit: 'inventory-search' },
            ...{ state: 'open', held: null, rejectsCalls: false },
          },
        ]
        const merchants = [merchant('acme', 'Acme Parts'), merchant('zenith', 'Zenith')]
        const holdsAndPurges = {
          async poll() {
            pollCount += 1
          },
        }
        const logger = pino({ level: 'silent' })
        const shared = { db, store: outageOf, now, logger, merchants }
        return createDiagnosticsPages({
          ...{ ...shared, diagnostics, holdsAndPurges, upstreams: { states }, mirrors: [], machine: 'shop-1' },
          storeWaitMs,
        })
      })
    })
    afterEach(async () => {
      await testConsole[Symbol.asyncDispose]()
      await diagnostics[Symbol.asyncDispose]()
      await store.close()
    })

    async function observe(of: Partial<FinishedRequest> = {}): Promise<void> {
      const sections = [okSection('product', { system: 'inventory' }), timedOutSection('price')]
      const at = testConsole.clock.ms - 700
      const calls = [callTrace({ at, ms: 699, outcome: 'timeout', cause: 'no response in time' })]
      diagnostics.recordRequest(finishedRequest({ sections, calls, ms: 700, ...of }))
      await diagnostics.flush()
    }
    const getText = async (browser: OperatorBrowser, path: string) => {
      const { status, text: html } = await testConsole.get(browser, path)
      expect(status, path).to.equal(200)
      return html.replace(/<script.*?<\/script>|<[^>]+>/g, ' ').replace(/\s+/g, ' ')
    }
    /** Advances the clock and signs Sam in again. */
    async function advanceAndSignIn(hours: number): Promise<OperatorBrowser> {
      testConsole.clock.ms += hours * 3_600_000
      return { cookie: toCookieHeader(await testConsole.signIn('sam')), csrf: '' }
    }
    const getLinks = async (browser: OperatorBrowser, path: string, like: RegExp) =>
      [...(await testConsole.get(browser, path)).text.matchAll(/href="([^"]+)"/g)]
        .map(([, to]) => to!)
        .filter((to) => like.test(to))

    it('list the incidents around a local time of the merchant', async () => {
      await observe()
      const browser = await testConsole.signInAs('sam', 'support')
      const local = (minutes: number) =>
        new Date(testConsole.clock.ms + minutes * 60_000 - 5 * 3_600_000).toISOString().slice(0, 16)
      const around = (minutes: number, more = '') => getText(browser, `/incidents?at=${local(minutes)}${more}`)
      for (const minutes of [-9, 1, 9]) expect(await around(minutes)).to.include('Prices')
      expect(await around(-11)).to.include('ended within 10 minutes of that time')
      expect(await around(-11, '&within=15')).to.include('Prices')
      expect(await around(-60)).to.include('within 10 minutes of that time')
      expect(await getText(browser, '/incidents?at=lunch')).to.include('Prices')
    })

    it('link Now, the incident and its request with each other', async () => {
      await observe({ requestId: 'req-1' })
      const browser = await testConsole.signInAs('sam', 'support')
      expect(await getText(browser, '/')).to.include('Degraded: pricing of Acme Parts (live)')
      const [incident] = await getLinks(browser, '/', /^\/incidents\/./)
      const incidentText = await getText(browser, incident!)
      for (const said of [
        'Prices of Acme Parts',
        'The incident is ongoing',
        '09:05:00 GMT-5',
        'No complete response in time',
        'downstream_timeout',
      ])
        expect(incidentText).to.include(said)
      const [request] = await getLinks(browser, incident!, /^\/request\?id=/)
      const record = await getText(browser, request!)
      for (const said of [
        'Prices (pricing): no complete response in time',
        '700 ms (deadline 2,500 ms)',
        'GET /v1/products/BP-1',
      ])
        expect(record).to.include(said)
      expect(await getLinks(browser, request!, /^\/incidents\/./)).to.deep.equal([incident])
    })

    it('show the sections that one system degraded at once as one outage, with its cause', async () => {
      const failed = { outcome: 'circuit_open', code: 'circuit_open', kind: 'name not found' } as const
      const sections = ['price', 'totals'].map((name) => ({ ...timedOutSection(name), ...failed }))
      await observe({ sections })
      const browser = await testConsole.signInAs('sam', 'support')
      const list = await getText(browser, '/incidents')
      expect(list).to.include('Outage of pricing Acme Parts, live: 2 sections since')
      expect(list).to.include('Name not found × 1')
      const [first, second] = await getLinks(browser, '/incidents', /^\/incidents\/./)
      const incident = await getText(browser, first!)
      expect(incident.indexOf('Name not found')).to.be.below(incident.indexOf('circuit_open'))
      expect(incident).to.include('Also degraded by pricing at that time')
      expect(incident).to.include('These are the same responses to the same shoppers')
      expect(await getLinks(browser, first!, /^\/incidents\/\w+$/)).to.deep.equal([second])
    })

    it('show whom an incident hit: shoppers, carts, money waiting, and how old the values were', async () => {
      const cart = { merchant: 'acme', mode: 'live', customer_id: 'C-1' } as const
      const times = { now: '2026-11-21T14:00:00.000Z', expiresAt: '2026-12-21T14:00:00.000Z' }
      const { cart_id: cartId } = await insertCart(db, cart, times)
      const pricing = JSON.stringify({ version: 1, priced_at: times.now, totals: { total: '1250.50' } })
      await db.updateTable('carts').set({ pricing }).where('cart_id', '=', cartId).execute()
      const staleAsOf = testConsole.clock.ms - 720_000
      await observe({ customerId: 'C-1', cartId })
      await observe({ customerId: 'C-1', cartId })
      await observe({ clientAddress: '192.0.2.7', sections: [timedOutSection('price', { staleAsOf })] })
      const browser = await testConsole.signInAs('sam', 'support')
      const [incident] = await getLinks(browser, '/', /^\/incidents\/./)
      const text = await getText(browser, incident!)
      for (const said of [
        'Shoppers at least 2 ',
        'Carts 1, not ordered yet',
        'Money waiting about JMD 1,250.50 in 1 open cart',
        'Older values 1 of 3 responses had an older value, at most 12 min old; 2 had none',
      ])
        expect(text).to.include(said)
      await db
        .updateTable('carts')
        .set({ state: 'CONVERTED', order_id: 'ord_1' })
        .where('cart_id', '=', cartId)
        .execute()
      expect(await getText(browser, incident!))
        .to.include('Carts 1, ordered since')
        .and.include('Money waiting none')
    })

    it('give an incident as JSON and CSV, and a link that needs a sign-in only', async () => {
      await observe({ clientAddress: '192.0.2.7', customerId: 'C-9' })
      const browser = await testConsole.signInAs('sam', 'support')
      const [incident] = await getLinks(browser, '/', /^\/incidents\/./)
      expect(await getText(browser, incident!)).to.include(`${testConsole.address}${incident}`)
      const json = await testConsole.get(browser, `${incident}/export.json`)
      expect(json.body).to.include({
        incident: incident!.slice(11),
        merchant: 'acme',
        degraded_responses: 1,
        shoppers: 1,
      })
      expect(json.headers['content-disposition']).to.match(/^attachment; filename="inc_\w+\.json"$/)
      const csv = await testConsole.get(browser, `${incident}/export.csv`)
      expect(csv.text.split('\r\n')[1]).to.match(/^inc_\w+,acme,live,pricing,Prices,2026-11-21T14:05:00.000Z,/)
      for (const { text } of [json, csv]) expect(text).to.not.include('192.0.2.7').and.not.include('C-9')
      const signedOut = await testConsole.request(incident!)
      expect(signedOut.headers.location).to.equal(`/sign-in?to=${encodeURIComponent(incident!)}`)
      expect((await testConsole.get(browser, '/incidents/inc_none/export.csv')).status).to.equal(404)
    })

    it('show a revoked key that is still used, on Now and as an incident', async () => {
      const request = { merchant: 'acme', kind: 'secret', mode: 'live', label: 'till 4' } as const
      const { record } = await issueApiKey(db, request)
      await revokeApiKey(db, record.key_id, new Date(testConsole.clock.ms - 60_000))
      const target = { key: record.key_id }
      const entry = { operator: 'anna', role: 'operator', action: 'key.revoke', target, address: null } as const
      await writeAuditEntry(db, { ...entry, outcome: 'done' }, testConsole.clock.ms - 60_000)
      const endedKeyOf = { merchant: 'acme', mode: 'live' } as const
      const refusal = { tenant: null, keyId: record.key_id, status: 401, code: 'invalid_api_key', endedKeyOf } as const
      await observe({ ...refusal, sections: undefined, calls: undefined })
      const browser = await testConsole.signInAs('sam', 'support')
      const said = `till 4 (${record.hint}) of Acme Parts (live): revoked by anna at 09:04:00 GMT-5, refused 1 time, last sent at 09:05:00 GMT-5.`
      expect(await getText(browser, '/')).to.include(said)
      const [incident] = await getLinks(browser, '/', /^\/incidents\/./)
      expect(await getText(browser, incident!)).to.include('revoked by anna at 09:04:00 GMT-5, refused 1 time')
    })

    it('say that the store is unavailable, since when, and when that ended', async () => {
      const browser = await testConsole.signInAs('sam', 'support')
      outageOf.outage = { beganAt: testConsole.clock.ms, reason: 'the disk is full', isUnreachable: false }
      testConsole.clock.ms += 60_000
      diagnostics.recordRequest(finishedRequest({ requestId: 'req-2', status: 503, code: 'store_unavailable' }))
      await diagnostics.flush()
      expect(await getText(browser, '/')).to.include('Forecourt’s database is unavailable: the disk is full')
      expect(await getText(browser, '/')).to.match(/unavailable since .*09:05:00/)
      expect(await getText(browser, '/')).to.include('1 request was refused since then')
      const [link] = await getLinks(browser, '/incidents?merchant=acme&mode=sandbox', /^\/incidents\/./)
      const ongoing = await getText(browser, link!)
      for (const said of [
        'Forecourt’s database all merchants',
        'live and sandbox',
        'The incident is ongoing',
        'req-2',
        '09:05:00',
      ])
        expect(ongoing).to.include(said)
      outageOf.outage = null
      testConsole.clock.ms += 6_000
      await diagnostics.flush()
      await diagnostics.flush()
      expect(await getText(browser, link!)).to.match(
        /began at .*09:05:00.*, and ended between .*09:06:00.* \(it still failed\) and .*09:06:06/,
      )
      expect(await getText(browser, link!)).to.include(
        'The disk is full 1 Make room on the disk of Forecourt’s database',
      )
      expect(await getText(browser, '/')).to.not.include('database is unavailable')
    })

    it('show this process, to an operator who is signed in, while the store cannot be read', async () => {
      await observe()
      const browser = await testConsole.signInAs('sam', 'support')
      await getText(browser, '/')
      outageOf.outage = { beganAt: testConsole.clock.ms, reason: 'the store does not respond', isUnreachable: true }
      testConsole.clock.ms += 1_000
      using _broken = breakStore(db)
      const now = await getText(browser, '/')
      expect(now).to.include('Forecourt’s database is unavailable: Forecourt’s database does not respond')
      expect(now).to.include('They cannot sign in, fill a cart, check out')
      expect(now).to.match(/As of 09:05:00 GMT-5 ?, when Forecourt’s database last responded/)
      expect(now)
        .to.include('Acme Parts')
        .and.to.not.match(/\bOK\b/)
      const { status, text: html } = await testConsole.get(browser, '/incidents')
      expect(status).to.equal(503)
      for (const said of ['Forecourt’s database is unavailable', 'They cannot sign in', 'works without the database'])
        expect(html).to.include(said)
      expect(html)
        .to.match(/src="\/assets\/reload-when-store-returns-\w+\.js"/)
        .and.to.not.include('href="/sign-in"')
    })

    it('say without a session that nobody can sign in while the store cannot be read', async () => {
      await testConsole.addOperator('ann')
      using _broken = breakStore(db)
      const refused = await testConsole.signIn('ann')
      expect(refused.status).to.equal(503)
      expect(refused.text).to.include('the password could not be checked').and.to.include('name="password"')
      const cookie = `forecourt_operations=${'a'.repeat(43)}`
      const { status, text: html } = await testConsole.request('/keys', { headers: { cookie } })
      expect(status).to.equal(503)
      expect(html).to.include('Nobody can sign in').and.to.not.include('href="/sign-in"')
    })

    it('filter incidents by merchant, mode and state', async () => {
      await observe()
      await observe({ tenant: 'zenith', mode: 'sandbox' })
      const browser = await testConsole.signInAs('sam', 'support')
      const found = async (query: string) => (await getLinks(browser, `/incidents?${query}`, /^\/incidents\/./)).length
      expect([
        await found(''),
        await found('merchant=acme'),
        await found('merchant=acme&mode=sandbox'),
        await found('state=open'),
        await found('state=over'),
        await found('before=nonsense'),
      ]).to.deep.equal([2, 1, 0, 2, 0, 2])
    })

    it('serve the timeline as a page and as JSON', async () => {
      await observe()
      testConsole.clock.ms += 30_000
      const browser = await testConsole.signInAs('sam', 'support')
      expect(await getText(browser, '/timeline?merchant=acme&range=1h')).to.include('Degraded: 1 of 1 response (100 %)')
      const at = new Date(testConsole.clock.ms - 60_000).toISOString()
      await insertProcessStart(db, { at, process: 'p', version: '0.9.0', config_digest: null })
      const { body } = await testConsole.get(browser, '/timeline/series?merchant=acme&mode=live&range=1h')
      expect(body.starts).to.deep.equal([Date.parse(at) / 1_000])
      expect(await getText(browser, '/timeline?merchant=acme&range=1h')).to.match(
        /Starts of Forecourt [0-9:]+ GMT-5 ?: Version 0\.9\.0 started/,
      )
      expect(body.timeZone).to.equal('America/Jamaica')
      expect(body.charts['section pricing price'].degraded).to.include(100)
      for (const range of ['6h', '24h', '7d', '30d', 'nonsense'])
        expect(await getText(browser, `/timeline?range=${range}`)).to.include('Prices (pricing)')
    })

    it('find a request by its id in any letter case and with spaces', async () => {
      await observe({ requestId: 'vM9spOZiTn-4k' })
      const browser = await testConsole.signInAs('sam', 'support')
      for (const id of ['vm9spozitn-4K', ' vM9sp OZiTn-4k '])
        expect(await getText(browser, `/request?${new URLSearchParams({ id })}`)).to.include('vM9spOZiTn-4k')
    })

    it('list the requests that match a filter, a page at a time', async () => {
      for (let index = 0; index < 60; index++) {
        const skus = [`BP-${index % 3}`]
        const failed = index % 2 === 0 ? {} : { status: 503, code: 'store_unavailable' }
        diagnostics.recordRequest(
          finishedRequest({ requestId: `req-${index}`, sections: [timedOutSection('price')], skus, ...failed }),
        )
        testConsole.clock.ms += 1_000
      }
      const refused = { tenant: null, keyId: null, status: 401, code: 'missing_api_key', sections: undefined } as const
      diagnostics.recordRequest(finishedRequest({ requestId: 'nobody', ...refused }))
      const customerId = 'C-1042'
      await observe({ requestId: 'hers', route: 'getCart', customerId, keyId: 'key_0123456789abcdef' })
      const browser = await testConsole.signInAs('sam', 'support')
      const find = async (query: string) => {
        const { text: html } = await testConsole.get(browser, `/request?merchant=acme&mode=live&${query}`)
        return [...html.matchAll(/href="\/request\?id=([\w-]+)"/g)].map(([, id]) => id!)
      }
      for (const own of ['customer=c-1042', 'route=getcart', 'key=key_0123456789abcdef'])
        expect(await find(own), own).to.deep.equal(['hers'])
      expect((await find('sku=bp-1')).length).to.equal(20)
      expect((await find('sku=bp-%25')).length).to.equal(0)
      expect((await find('status=5xx&code=store_unavailable')).length).to.equal(30)
      expect((await find('code=downstream_timeout&status=200')).length).to.equal(31)
      expect((await find('at=2026-11-21T10:05')).length).to.equal(0)
      expect((await find('kind=slow')).length).to.equal(0)
      const { text: withoutKey } = await testConsole.get(browser, '/request?merchant=no+valid+key')
      expect(withoutKey).to.include('nobody').and.to.not.include('hers')
      const linkTo = async (path: string, name: string) =>
        new RegExp(`href="([^"]+)">${name}<`)
          .exec((await testConsole.get(browser, path)).text)?.[1]
          ?.replaceAll('&amp;', '&')
      const older = await linkTo('/request?merchant=acme&mode=live', 'Older')
      expect(await find(older!.split('?')[1]!)).to.deep.equal(
        Array.from({ length: 11 }, (_, index) => `req-${10 - index}`),
      )
      expect(await linkTo(older!, 'Older')).to.equal(undefined)
      const newer = await linkTo(older!, 'Newer')
      expect(await find(newer!.split('?')[1]!)).to.deep.equal(await find(''))
      expect(await linkTo(newer!, 'Newer')).to.equal(undefined)
    })

    it('neither search for nor show a key or a mailbox that was pasted into a filter', async () => {
      await observe({ requestId: 'req-1' })
      const browser = await testConsole.signInAs('sam', 'support')
      const secret = `svc_live_sec_${'q7Zk'.repeat(12)}`
      for (const [field, text] of [
        ['key', secret],
        ['customer', 'jane@example.com'],
        ['sku', 'jane@example.com'],
        ['route', secret],
      ] as const) {
        const { text: html } = await testConsole.get(browser, `/request?${new URLSearchParams({ [field]: text })}`)
        expect(html, field).to.include('req-1').and.to.not.include('jane').and.to.not.include('q7Zk')
      }
    })

    it('explain why a request has no record, and escape its id', async () => {
      const browser = await testConsole.signInAs('sam', 'support')
      const { text: html } = await testConsole.get(browser, `/request?${new URLSearchParams({ id: HOSTILE })}`)
      expect(html).to.include('There is no record of this request').and.to.not.include(HOSTILE)
      expect(html).to.include('degraded').and.to.include('slow').and.to.include('refused').and.to.include('30 days')
      expect(html).to.not.match(/went well/i)
    })

    it('show since when a degraded section had no requests', async () => {
      await observe()
      const browser = await testConsole.signInAs('sam', 'support')
      expect(await getText(browser, '/incidents')).to.include(': Ongoing')
      testConsole.clock.ms += 10_001
      const now = await getText(browser, '/')
      expect(now).to.include('Prices: no degraded response since 09:05:00 GMT-5, and no requests since then.')
      expect(now).to.not.include('what shoppers see')
      expect(await getText(browser, '/incidents'))
        .to.include('No new requests')
        .and.to.not.include(': Ongoing')
      const [incident] = await getLinks(browser, '/incidents', /^\/incidents\/./)
      expect(await getText(browser, incident!))
        .to.include('no requests since then')
        .and.to.not.include('What shoppers see')
    })

    it('show the timeline around a local time of the merchant, and link to it from an incident', async () => {
      await observe()
      let browser = await testConsole.signInAs('sam', 'support')
      const [incident] = await getLinks(browser, '/', /^\/incidents\/./)
      const [around] = await getLinks(browser, incident!, /^\/timeline\?/)
      browser = await advanceAndSignIn(5)
      await diagnostics.flush()
      const aroundPath = around!.replaceAll('&amp;', '&')
      expect(aroundPath).to.equal(
        '/timeline?merchant=acme&mode=live&range=1h&at=2026-11-21T09%3A05&zone=America%2FJamaica&first=pricing.price',
      )
      expect(await getText(browser, aroundPath))
        .to.include('Degraded: 1 of 1 response (100 %)')
        .and.to.include('America/Jamaica')
      expect(await getText(browser, '/timeline?merchant=acme&mode=live&range=1h')).to.include(
        'This merchant had no requests',
      )
      const { body } = await testConsole.get(browser, aroundPath.replace('?', '/series?'))
      const middle = Date.parse('2026-11-21T14:05:00.000Z') / 1_000
      expect([body.from, body.to]).to.deep.equal([middle - 1_800, middle + 1_800])
      const typed = new URLSearchParams({ merchant: 'acme', mode: 'live', range: '1h', at: '14:05:07 UTC' })
      const typedSeries = await testConsole.get(browser, `/timeline/series?${typed}`)
      expect(typedSeries.body.from).to.equal(middle - 1_793)
      const dated = await testConsole.get(browser, `/timeline?${typed}`)
      expect([dated.status, dated.headers.location]).to.deep.equal([
        303,
        '/timeline?merchant=acme&mode=live&range=1h&at=2026-11-21T14%3A05%3A07Z',
      ])
      expect((await testConsole.get(browser, dated.headers.location as string)).text).to.include(
        'value="2026-11-21 09:05:07"',
      )
      for (const path of ['/incidents?zone=UTC&', '/request?zone=UTC&merchant=acme&'])
        expect((await testConsole.get(browser, `${path}at=14:05`)).headers.location).to.equal(
          `${path}at=2026-11-21T14%3A05Z`,
        )
      const rangeLinks = await getLinks(browser, aroundPath, /range=(6h|24h)/)
      expect(rangeLinks.map((to) => to.includes('at=2026-11-21T09%3A05'))).to.deep.equal([true, true])
      expect(await getText(browser, aroundPath.replace(/at=.*/, 'at=lunch')))
        .to.include('This merchant had no requests')
        .and.to.include('The time was not understood, so it was left out.')
      browser = await advanceAndSignIn(50)
      expect(await getText(browser, aroundPath), 'by hour, because minutes are no longer stored').to.include(
        'Degraded: 1 of 1',
      )
    })

    it('default to the mode that was used in the last day', async () => {
      let browser = await testConsole.signInAs('sam', 'support')
      const chosen = async (path: string) =>
        /<option selected>(live|sandbox)/.exec((await testConsole.get(browser, path)).text)?.[1]
      const both = async () => [await chosen('/timeline'), await chosen('/request?merchant=acme')]
      expect(await both()).to.deep.equal(['live', 'live'])
      await observe({ mode: 'sandbox' })
      expect(await both()).to.deep.equal(['sandbox', 'sandbox'])
      expect(await chosen('/timeline?mode=live')).to.equal('live')
      browser = await advanceAndSignIn(25)
      expect(await both()).to.deep.equal(['live', 'live'])
      await observe({ mode: 'sandbox' })
      await observe()
      expect(await both()).to.deep.equal(['live', 'live'])
    })

    it('respond with 404 and the known merchants or modes to an unknown one', async () => {
      await observe()
      const browser = await testConsole.signInAs('sam', 'support')
      for (const path of ['/timeline', '/incidents', '/request']) {
        const { status, text: html } = await testConsole.get(browser, `${path}?merchant=zzz&mode=live`)
        expect(status, path).to.equal(404)
        expect(html)
          .to.include('There is no merchant <code>zzz</code>')
          .and.to.include(`href="${path}?merchant=acme&amp;mode=live">Acme Parts</a>`)
          .and.to.not.include('<h2')
        const ofMode = await testConsole.get(browser, `${path}?merchant=acme&mode=test`)
        expect([ofMode.status, ofMode.text.includes('There is no mode <code>test</code>')]).to.deep.equal([404, true])
        expect((await testConsole.get(browser, `${path}?merchant=&mode=`)).status, path).to.equal(200)
      }
      expect((await testConsole.get(browser, '/timeline/series?merchant=zzz')).status).to.equal(404)
      const hostile = `/timeline?${new URLSearchParams({ merchant: HOSTILE })}`
      expect((await testConsole.get(browser, hostile)).text)
        .to.include('There is no merchant')
        .and.to.not.include(HOSTILE)
    })

    it('use the singular for one response, and explain older values', async () => {
      await observe()
      const browser = await testConsole.signInAs('sam', 'support')
      expect(await getText(browser, '/'))
        .to.match(/ 1 response 0 % complete/)
        .and.to.include('Older values served instead')
      expect((await testConsole.get(browser, '/')).text).to.match(/<th [^>]*title="Age of the oldest value[^"]*">Older/)
    })

    it('respond with 404 for an unknown incident or circuit', async () => {
      const browser = await testConsole.signInAs('ann', 'operator')
      for (const path of ['/incidents/inc_none', '/circuits/acme/live/accounting', '/circuits/nobody/live/pricing'])
        expect((await testConsole.get(browser, path)).status, path).to.equal(404)
    })

    it('hold a circuit in every process, and immediately in this one', async () => {
      const browser = await testConsole.signInAs('ann', 'operator')
      const { status, headers } = await testConsole.submit(browser, '/circuits/acme/live/pricing/hold', {
        state: 'open',
        minutes: '15',
      })
      expect([status, headers.location]).to.deep.equal([303, '/circuits/acme/live/pricing'])
      const { holds } = await readHoldsAndPurgesSince(db, testConsole.clock.ms, testConsole.clock.ms)
      expect(holds).to.have.lengthOf(1)
      expect(holds[0]).to.include({
        merchant: 'acme',
        mode: 'live',
        circuit: 'pricing',
        state: 'open',
        by: 'ann',
      })
      expect(holds[0]!.untilMs).to.equal(testConsole.clock.ms + 15 * 60_000)
      expect(pollCount).to.equal(1)
    })

    it('say who has seen an incident, who looks after it, what was noted and whom to call', async () => {
      const browser = await testConsole.signInAs('ann', 'operator')
      await testConsole.addOperator('ben', 'support')
      diagnostics.recordRequest(finishedRequest({ sections: [timedOutSection('price')] }))
      await diagnostics.flush()
      const { incident_id } = await db.selectFrom('incidents').select('incident_id').executeTakeFirstOrThrow()
      const path = `/incidents/${incident_id}`
      const read = async (reading: OperatorBrowser) => (await testConsole.get(reading, path)).text
      const before = await read(browser)
      expect(before).to.include('by nobody yet').and.include('No notes yet.')
      expect(before).to.include('Lee Wong, <a href="tel:+18765550100">+1 876 555-0100</a>')
      expect((await testConsole.submit(browser, `${path}/acknowledge`)).status).to.equal(303)
      await testConsole.submit(browser, `${path}/assign`, { operator: 'ben' })
      await testConsole.submit(browser, `${path}/note`, { text: `called the ledger\r\n${HOSTILE}` })
      for (const text of ['', 'write to ada@shop.example', 'x'.repeat(2_001), 'svc_live_sec_1'])
        await testConsole.submit(browser, `${path}/note`, { text })
      await testConsole.submit(browser, `${path}/assign`, { operator: 'nobody-here' })
      const rows = await db
        .selectFrom('incident_notes')
        .select(['kind', 'operator', 'text'])
        .orderBy('note_id')
        .execute()
      expect(rows).to.have.deep.members([
        { kind: 'acknowledged', operator: 'ann', text: null },
        { kind: 'assigned', operator: 'ann', text: 'ben' },
        { kind: 'note', operator: 'ann', text: `called the ledger\n${HOSTILE}` },
      ])
      const page = await read(browser)
      expect(page).to.include('by ann at ').and.include('Assigned to ben.').and.not.include(HOSTILE)
      expect(page).to.include('called the ledger<br>\n&lt;b&gt;').and.not.include('>Acknowledge</button>')
      expect((await testConsole.get(browser, '/incidents')).text).to.include('<small>assigned to ben</small>')
      const { body } = await testConsole.get(browser, `${path}/export.json`)
      expect(body).to.include({ acknowledged_by: 'ann', assignee: 'ben' })
      expect(body.notes).to.deep.equal([{ at: body.acknowledged_at, by: 'ann', text: `called the ledger\n${HOSTILE}` }])
      const actions = (await db.selectFrom('audit_log').select(['action', 'outcome', 'target']).execute()).filter(
        ({ action }) => action.startsWith('incident.'),
      )
      expect(actions.filter(({ outcome }) => outcome === 'done')).to.have.lengthOf(3)
      expect(JSON.stringify(actions)).to.not.include('ledger').and.not.include('shop.example')
      const reader = await testConsole.signInAs('sam', 'support')
      expect(await read(reader))
        .to.include('called the ledger')
        .and.not.include('<textarea')
      expect((await testConsole.submit(reader, `${path}/note`, { text: 'no' })).status).to.equal(403)
    })

    it('list the latest notifications, and why one failed', async () => {
      const browser = await testConsole.signInAs('sam', 'support')
      expect(await getText(browser, '/incidents')).to.not.include('Latest notifications')
      const time = new Date(testConsole.clock.ms).toISOString()
      const times = { began_at: time, seen_at: time, due_at: time, document: '{}' }
      await insertOutageNotice(db, { channel: 'c', target: HOSTILE, system: 'pricing', state: 'began_due', ...times })
      const [notice] = await listOutageNotices(db, 9)
      await updateOutageNotice(db, notice!.notice_id, { failure: 'HTTP 500', attempts: 1 })
      const { text } = await testConsole.get(browser, '/incidents')
      expect(text).to.include('Latest notifications').and.include('Failed, will be sent again').and.not.include(HOSTILE)
      expect(text).to.include('The last attempt failed: HTTP 500. Attempt 2 at 09:05:00 GMT-5.')
    })

    it('plan maintenance of a system, and end it', async () => {
      const browser = await testConsole.signInAs('ann', 'operator')
      const plan = (circuit: string, until: string) =>
        testConsole.submit(browser, `/circuits/zenith/live/${circuit}/maintenance`, { until })
      // 09:05 in Jamaica.
      const { status } = await plan('inventory', '2026-11-21T10:30')
      expect(status).to.equal(303)
      const of = { merchant: 'zenith', mode: 'live', system: 'inventory', by: 'ann' }
      const untilMs = Date.parse('2026-11-21T15:30:00.000Z')
      expect(await listMaintenance(db, testConsole.clock.ms)).to.deep.equal([{ ...of, untilMs }])
      expect(pollCount).to.equal(1)
      for (const [until, message] of [
        ['2026-11-21T09:00', 'The end of the maintenance is in the past.'],
        ['2026-11-29T09:00', 'Maintenance lasts seven days at most.'],
        ['soon', 'Enter the date and time at which the maintenance ends.'],
      ] as const) {
        const refused = await plan('inventory', until)
        const cookie = `${browser.cookie}; ${refused.headers['set-cookie']!.map((one) => one.split(';')[0]).join('; ')}`
        expect((await testConsole.get({ ...browser, cookie }, refused.headers.location!)).text).to.include(message)
      }
      expect((await plan('inventory-search', '2026-11-21T10:30')).status).to.equal(303)
      await testConsole.submit(browser, '/circuits/zenith/live/inventory/release', {})
      expect(await listMaintenance(db, testConsole.clock.ms)).to.deep.equal([])
    })

    it('hold the searches with their system, or alone', async () => {
      const browser = await testConsole.signInAs('ann', 'operator')
      const hold = (circuit: string) =>
        testConsole.submit(browser, `/circuits/zenith/live/${circuit}/hold`, { state: 'open', minutes: '5' })
      const held = async () => {
        const { holds } = await readHoldsAndPurgesSince(db, 0, testConsole.clock.ms)
        return holds.filter(({ untilMs }) => untilMs > testConsole.clock.ms).map(({ circuit }) => circuit)
      }
      expect((await hold('inventory-search')).status).to.equal(303)
      expect(await held()).to.deep.equal(['inventory-search'])
      await hold('inventory')
      expect(await held()).to.have.members(['inventory', 'inventory-search'])
      await testConsole.submit(browser, '/circuits/zenith/live/inventory/release', {})
      expect(
        (await readHoldsAndPurgesSince(db, 0, testConsole.clock.ms)).holds.filter(({ state }) => state !== null),
      ).to.satisfy((holds: { untilMs: number }[]) => holds.every(({ untilMs }) => untilMs <= testConsole.clock.ms))
      expect(await getText(browser, '/circuits/zenith/live/inventory')).to.include('applies to searches too')
      const page = await getText(browser, '/circuits/zenith/live/inventory-search')
      expect(page).to.include('Calls to inventory search').and.include('No searches are made.')
      expect(page).to.include('Search results and product lists').and.not.include('applies to searches too')
      expect(await getText(browser, '/')).to.include('inventory search')
    })

    it('refuse invalid forms, and say why', async () => {
      const browser = await testConsole.signInAs('ann', 'operator')
      const hold = '/circuits/acme/live/pricing/hold'
      const requests: [path: string, form: Record<string, string>, why: RegExp][] = [
        [hold, { state: 'ajar', minutes: '5' }, /stop or to force/],
        [hold, { state: 'open', minutes: '61' }, /from 1 to 60/],
        [hold, { state: 'open', minutes: '' }, /from 1 to 60/],
        ['/circuits/acme/live/fitment/hold', { state: 'open', minutes: '5' }, /no such circuit/],
        ['/cache/purge', { merchant: 'acmee' }, /no such merchant/],
        ['/cache/purge', { merchant: 'acme', mode: 'test' }, /no such mode/],
        ['/cache/purge', { merchant: 'acme', skus: ' \n ' }, /at least one SKU/],
        ['/cache/purge', { merchant: 'acme', skus: Array.from({ length: 501 }, (_, at) => at).join('\n') }, /500 SKUs/],
      ]
      for (const [path, form, why] of requests) {
        const { status, headers } = await testConsole.submit(browser, path, form)
        expect(status, String(why)).to.equal(303)
        const cookie = [browser.cookie, ...(headers['set-cookie'] ?? []).map((set) => set.split(';')[0])].join('; ')
        expect((await testConsole.get({ ...browser, cookie }, '/cache')).text).to.match(why)
      }
      expect(await readHoldsAndPurgesSince(db, 0, testConsole.clock.ms)).to.deep.equal({ holds: [], purges: [] })
      const outcomes = await db
        .selectFrom('audit_log')
        .select('outcome')
        .where('action', 'in', ['breaker.hold', 'cache.purge'])
        .execute()
      expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(requests.map(() => 'failed'))
    })

    it('purge some products, a merchant or everything', async () => {
      const browser = await testConsole.signInAs('ann', 'operator')
      await testConsole.submit(browser, '/cache/purge', {
        merchant: 'acme',
        mode: 'live',
        skus: 'BP 1\r\nBP-2\r\nBP-2\r\n',
      })
      testConsole.clock.ms += 1
      await testConsole.submit(browser, '/cache/purge', { merchant: 'acme', mode: '' })
      testConsole.clock.ms += 1
      await testConsole.submit(browser, '/cache/purge')
      const { purges } = await readHoldsAndPurgesSince(db, 0, testConsole.clock.ms)
      expect(purges.map(({ merchant: of, mode, skus, by }) => [of, mode, skus, by])).to.deep.equal([
        ['acme', 'live', ['BP 1', 'BP-2'], 'ann'],
        ['acme', null, null, 'ann'],
        [null, null, null, 'ann'],
      ])
    })

    it('refuse these actions to support', async () => {
      const browser = await testConsole.signInAs('sam', 'support')
      for (const path of ['/circuits/acme/live/pricing/hold', '/circuits/acme/live/pricing/release', '/cache/purge'])
        expect((await testConsole.submit(browser, path, { state: 'open', minutes: '5' })).status, path).to.equal(403)
      expect((await testConsole.get(browser, '/cache')).status).to.equal(403)
      expect((await testConsole.get(browser, '/circuits/acme/live/pricing')).text).to.not.include('/hold"')
      expect(await readHoldsAndPurgesSince(db, 0, testConsole.clock.ms)).to.deep.equal({ holds: [], purges: [] })
    })
  })
}
