import { expect } from 'chai'
import { pino } from 'pino'
import type { MerchantConfig } from '../../../src/config/config.ts'
import { createMerchantDirectory } from '../../../src/console/merchant-directory.ts'
import { createDiagnosticsPages } from '../../../src/console/page-list.ts'
import { createAuditLogPages } from '../../../src/console/pages/audit-log-pages.ts'
import { createDiagnostics, type Diagnostics } from '../../../src/diagnostics/diagnostics.ts'
import type { RequestOutcome } from '../../../src/diagnostics/request-outcome.ts'
import { insertCart, storeCartPricing } from '../../../src/storage/commerce/carts.ts'
import { issueApiKey, revokeApiKey } from '../../../src/storage/keys/api-keys.ts'
import { writeAuditEntry } from '../../../src/storage/operators/audit-log.ts'
import type { StoreOutage } from '../../../src/storage/store-monitor.ts'
import { callTrace, okSection, requestOutcome } from '../../diagnostics/diagnostics-setup.ts'
import { stores } from '../../support/stores.ts'
import { type OperatorBrowser, startTestConsole, type TestConsole } from '../test-console.ts'
import { type SystemOutage, systemOutages, traceFailure } from './system-outages.ts'

const MINUTE_MS = 60_000
/** Outages are this far apart, so that a time finds one of them. */
const GAP_MS = 30 * MINUTE_MS
const merchants = [
  { merchant: 'acme', name: 'Acme Parts', timeZone: 'America/Jamaica', currency: 'JMD' },
  { merchant: 'zenith', name: 'Zenith', timeZone: 'America/Jamaica', currency: 'JMD' },
] as MerchantConfig[]

/** Outages are recorded as the API records them. Somebody who knows the time alone then opens the pages. */
describe('an outage, from a clock time alone', () => {
  const [store] = stores()
  const storeState: { outage: StoreOutage | null } = { outage: null }
  let testConsole: TestConsole
  let diagnostics: Diagnostics
  let browser: OperatorBrowser
  let db: Awaited<ReturnType<NonNullable<typeof store>['open']>>

  before(async () => {
    db = await store!.open()
    testConsole = await startTestConsole(db, ({ now }) => {
      diagnostics = createDiagnostics({
        db,
        store: storeState,
        now,
        process: 'one',
        timed: false,
        onError: (error) => expect.fail(String(error)),
      })
      const upstreams = { states: () => [] }
      const shared = { db, store: storeState, now, logger: pino({ level: 'silent' }), merchants }
      const pages = createDiagnosticsPages({
        ...shared,
        diagnostics,
        holdsAndPurges: { poll: async () => {} },
        upstreams,
        storeWaitMs: MINUTE_MS,
      })
      return [...pages, ...createAuditLogPages({ db, merchants: createMerchantDirectory(merchants, now) })]
    })
    browser = await testConsole.signInAs('sam', 'support')
  })
  beforeEach(() => {
    testConsole.clock.ms += GAP_MS
  })
  after(async () => {
    await testConsole[Symbol.asyncDispose]()
    await diagnostics[Symbol.asyncDispose]()
    await store!.close()
  })

  async function getText(path: string): Promise<string> {
    const { status, text } = await testConsole.get(browser, path)
    expect(status, path).to.equal(200)
    return text
      .replace(/<script.*?<\/script>|<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .replaceAll(' )', ')')
  }
  const localTime = (ms: number) => new Date(ms - 5 * 3_600_000).toISOString()
  const toClock = (ms: number) => `${localTime(ms).slice(11, 19)} GMT-5`
  /** Opens a list around a time that is three minutes off, as somebody remembers it. */
  const around = (path: string, ms: number) =>
    `${path}at=${localTime(ms + 3 * MINUTE_MS).slice(0, 16)}&zone=America/Jamaica`
  const expectAll = (text: string, said: readonly string[]) => {
    for (const part of said) expect(text).to.include(part)
  }

  async function record(outcomes: readonly Partial<RequestOutcome>[]): Promise<void> {
    for (const outcome of outcomes) {
      diagnostics.recordRequest(requestOutcome({ ms: 700, ...outcome }))
      testConsole.clock.ms += 1_000
    }
    await diagnostics.flush()
  }

  async function readIncident(ms: number): Promise<{ list: string; page: string }> {
    const path = around('/incidents?', ms)
    const { text } = await testConsole.get(browser, path)
    const links = [...text.matchAll(/href="(\/incidents\/inc_\w+)"/g)].map(([, link]) => link!)
    expect(links.length, 'incidents at that time').to.be.above(0)
    return { list: await getText(path), page: await getText(links[0]!) }
  }

  const insertOpenCart = (customer_id: string) =>
    insertCart(
      db,
      { merchant: 'acme', mode: 'live', customer_id },
      { now: new Date(testConsole.clock.ms).toISOString(), expiresAt: '2099-01-01T00:00:00.000Z' },
    )

  /** The sections respond again, and the incident is over some seconds later. */
  async function recover({ responses, merchant = 'acme' }: SystemOutage): Promise<void> {
    testConsole.clock.ms += 10_000
    const recovered = responses.flatMap(({ failed }) => failed)
    const calls = recovered.map(({ system, name }) => callTrace({ system, operation: name, at: testConsole.clock.ms }))
    for (const call of calls) diagnostics.recordCall({ merchant, mode: 'live' }, call)
    const sections = recovered.map(({ name, system }) => okSection(name, { system }))
    await record([{ tenant: merchant, route: responses[0]!.route ?? 'getProduct', sections, calls }])
    testConsole.clock.ms += 10_000
    await diagnostics.flush()
  }

  for (const outage of systemOutages)
    it(`says of "${outage.name}" what failed, since when, whom it hit, what shoppers saw, that it is over, and what to do`, async () => {
      const beganAt = testConsole.clock.ms
      const outcomes = outage.responses.map(({ failed, ...rest }, index) => {
        const at = beganAt + index * 1_000
        const calls = failed.map(({ name, system, failure }) =>
          callTrace({ system, operation: name, outcome: failure, at }),
        )
        return { ...rest, sections: failed.map((section) => traceFailure(section, at)), calls }
      })
      await record(outcomes)
      expect((await readIncident(beganAt)).page)
        .to.include('The incident is ongoing')
        .and.include('What shoppers see')
      await recover(outage)
      const { list, page } = await readIncident(beganAt)
      expectAll(list, [...outage.list, 'Ended'])
      const lasted = outage.responses.length === 1 ? 'under 1 s' : `${outage.responses.length - 1} s`
      expectAll(page, [
        ...outage.page,
        `Began ${toClock(beganAt)}`,
        `and lasted ${lasted}. The next response was good, at`,
      ])
      expect(page).to.not.include('the text of the system')
    })

  it('says which key was revoked by mistake, by whom, and that it is still used', async () => {
    const at = testConsole.clock.ms
    const request = { merchant: 'acme', kind: 'secret', mode: 'live', label: 'till 4' } as const
    const { record: key } = await issueApiKey(db, request)
    await revokeApiKey(db, key.key_id, new Date(at))
    const entry = { operator: 'anna', role: 'operator', action: 'key.revoke', address: null, outcome: 'done' } as const
    await writeAuditEntry(db, { ...entry, target: { key: key.key_id } }, at)
    const endedKeyOf = { merchant: 'acme', mode: 'live' } as const
    const refusal = { tenant: null, keyId: key.key_id, status: 401, code: 'invalid_api_key', endedKeyOf } as const
    await record([{ ...refusal, sections: undefined, calls: undefined }])
    const { list, page } = await readIncident(at)
    expect(list).to.include('Refused key').and.include('Invalid API key')
    expectAll(page, [
      `till 4 (${key.hint}) : revoked by anna at ${toClock(at)}, refused 1 time`,
      'the shop that sends it shows no data',
      'Give the shop a valid key.',
    ])
  })

  for (const [reason, advice] of [
    ['the store does not respond', 'Is PostgreSQL running, and does it accept connections?'],
    ['the disk is full', 'Make room on the disk of the store.'],
  ] as const)
    it(`says that ${reason}: since when, what shoppers lacked, when it was over, and what to do`, async () => {
      const at = testConsole.clock.ms
      storeState.outage = { beganAt: at, reason, isUnreachable: false }
      const refusal = { method: 'POST', status: 503, code: 'store_unavailable' }
      await record([
        { ...refusal, route: 'createCart', url: '/v1/carts' },
        { ...refusal, route: 'checkout', url: '/v1/checkout' },
      ])
      expect(await getText('/'))
        .to.include(`Store unavailable: ${reason}`)
        .and.include(`since ${toClock(at)}`)
      storeState.outage = null
      testConsole.clock.ms += 10_000
      await diagnostics.flush()
      await diagnostics.flush()
      const { list, page } = await readIncident(at)
      expectAll(list, ['Store (Forecourt)', 'all merchants'])
      expectAll(page, [
        'Sign-in, carts, checkout and orders are refused, and no webhooks are sent.',
        advice,
        'Checkouts 1 refused, of unknown carts',
        'The incident ended at',
      ])
    })

  it('says that an import of fitment failed, of which file, when, and why', async () => {
    const at = testConsole.clock.ms
    const bad = Array.from({ length: 10 }, (_, index) => ({ line: 3 + index, mistake: `year "20I${index}"` }))
    const file = { source: 'fitment.csv', outcome: 'refused', lines: 9, badLines: 14, bad }
    const command = { operator: 'command line', role: 'command', address: null, outcome: 'failed' } as const
    await writeAuditEntry(db, { ...command, action: 'fitment.import', target: { merchant: 'acme', ...file } }, at)
    const from = localTime(at - 3 * MINUTE_MS).slice(0, 16)
    const text = await getText(`/audit?action=fitment.import&from=${from}&zone=America/Jamaica`)
    expectAll(text, ['Import fitment', 'Failed', toClock(at), 'fitment.csv', 'bad lines 14', '--dry-run --all'])
    expectAll(text, ['line 3: year &quot;20I0&quot;', 'line 12: year &quot;20I9&quot;', 'and 4 more bad lines'])
  })

  for (const [name, listed, said] of [
    ['logins', 'shopper account, from one device or address', 'The shopper account was limited, not the key'],
    ['loginsByAddress', 'network address, for sign-ins', 'One network address was limited, not the key'],
    ['key', 'limit of the key', 'The API key was limited'],
  ] as const)
    it(`says that a sign-in met the limit "${name}", and until when`, async () => {
      const at = testConsole.clock.ms
      const refusal = { route: 'logInShopper', method: 'POST', url: '/v1/shoppers/login', status: 429 } as const
      const reachedLimit = { name, retryAfterSeconds: 600 }
      await record([{ requestId: `by-${name}`, ...refusal, code: 'rate_limited', reachedLimit, sections: undefined }])
      const list = await getText(around('/request?merchant=acme&mode=live&kind=refused&', at))
      expect(list).to.include(`Rate limited: ${listed}`)
      expectAll(await getText(`/request?id=by-${name}`), [said, `The limit lasts until ${toClock(at + 600_000)}.`])
    })

  it('counts the checkouts that an outage refused, and what their carts are worth', async () => {
    const at = testConsole.clock.ms
    const carts = await Promise.all(['C-1', 'C-2'].map((customer_id) => insertOpenCart(customer_id)))
    const { cart_id, version } = carts[0]!
    expect(await storeCartPricing(db, cart_id, version, { totals: { total: '120.50' } })).to.equal(true)
    const failed = {
      name: 'checkout',
      system: 'pricing',
      failure: 'timeout',
      summary: 'no response in 700 ms',
    } as const
    const refusal = { route: 'checkout', method: 'POST', url: '/v1/checkout', status: 504, code: 'downstream_timeout' }
    const outcomes = [carts[0]!, carts[0]!, carts[1]!].map(({ cart_id, customer_id }) => ({
      ...refusal,
      cartId: cart_id,
      customerId: customer_id,
      sections: [traceFailure(failed, at)],
    }))
    await record(outcomes)
    const { page } = await readIncident(at)
    expectAll(page, ['Checkouts 3 refused, of 2 carts: 1 with a known total, together JMD 120.50; 0 ordered since'])
  })

  it('says that a shopper was locked out, and why', async () => {
    const at = testConsole.clock.ms
    const refusal = {
      route: 'logInShopper',
      method: 'POST',
      url: '/v1/shoppers/login',
      status: 429,
      code: 'rate_limited',
    }
    await record([{ requestId: 'locked-out', ...refusal, sections: undefined }])
    const list = await getText(around('/request?merchant=acme&mode=live&kind=refused&', at))
    expect(list).to.include('locked-out').and.include('Sign-in logInShopper').and.include('Rate limited')
    expectAll(await getText('/request?id=locked-out'), [
      'too many attempts by one shopper',
      'has to wait, an hour at the most',
    ])
  })
})
