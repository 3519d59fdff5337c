import { expect } from 'chai'
import { storeCartPricing } from '../../../src/storage/commerce/carts.ts'
import { writeAuditEntry } from '../../../src/storage/operators/audit-log.ts'
import {
  around,
  expectAll,
  expectSameDuration,
  MINUTE_MS,
  type OutageConsole,
  openOutageConsole,
  toClock,
  toLocalTime,
} from './console-with-recorded-outages.ts'
import {
  delayingLedger,
  insertUnpricedCart,
  NEXT_ATTEMPT_MS,
  placeOrder,
  recordDelayedOrder,
  recordFailingEndpoint,
  recordLockedOutShopper,
  recordRefusedCheckout,
  recordRefusedImport,
  recordRefusingLedger,
  recordReportedOrder,
  recordRevokedKey,
  recordStoreOutage,
  recoverEndpoint,
  refusingLedger,
} from './outage-scenarios.ts'
import { traceFailure } from './system-outage-cases.ts'

const ACME = 'Acme IT desk, +1 876 555-0102'
const FORECOURT = 'Forecourt on call, +1 876 555-0199'

/** A shop is called a store as well. */
const nameReason = (reason: string) => reason.replace('the store', 'Forecourt’s database')

/** Outages are this far apart, so that a time finds one of them. */
const GAP_MS = 30 * MINUTE_MS

describe('an outage that hits orders, keys, the store, imports or webhooks, from a clock time alone', () => {
  let outages: OutageConsole

  before(async () => {
    outages = await openOutageConsole()
  })
  beforeEach(async () => {
    outages.clock.ms += GAP_MS
    await outages.signIn()
  })
  after(() => outages[Symbol.asyncDispose]())

  it('names the order that waits while the ledger refuses connections, why, and then when it was placed', async () => {
    const { db, clock, readText, readIncident, recover } = outages
    const at = clock.ms
    const { order, nextAt } = await recordRefusingLedger(outages)
    expectAll(await readText('/'), [
      `1 order that accounting has not confirmed yet, the oldest since ${toClock(at - 14)}: ${order} of Acme Parts (live)`,
      `The latest attempt made no call, because of earlier failures: connection refused. Forecourt tries again at ${toClock(nextAt)}.`,
      'While calls are paused, a single call is made now and then as a trial: the next one that a request, a waiting order or a read in the background needs. After a failed trial, the next follows a second or more later. Other requests make no call, so they say nothing of whether the system works. After two successful trials in a row, calls are made again.',
      'Checkout: 2 degraded responses since ',
      ': 1 checkout refused with an error, 1 checkout accepted but not confirmed: the shopper saw',
    ])
    const orderPage = await readText(`/orders/${order}`)
    expectAll(orderPage, [
      'Tell whoever runs accounting: Connection refused. Nothing accepts connections',
      'BP-1001 Brake pad',
      `The next attempt is at ${toClock(nextAt)}.`,
      '1 attempt failed, and 1 made no call, because calls were paused.',
      `The order has waited for accounting since ${toClock(at - 14)}, for `,
      `Ordered ${toClock(at - 14)} Last change of its state ${toClock(at)}`,
      'Whom to call about accounting of Acme Parts: Ines Brown, +1 876 555-0101',
      'No call No call was made, because of earlier failures: connection refused',
    ])
    expect(orderPage).to.not.match(/rejects this order|no attempt can succeed/)
    const ongoing = await readIncident(at)
    expectAll(ongoing.list, refusingLedger.list)
    expectAll(ongoing.page, ['Checkout checkout Connection refused', 'paused after 5 × connection refused'])
    expectAll(ongoing.page, [
      ...refusingLedger.page,
      '1 checkout refused with an error',
      '1 checkout accepted but not confirmed: the shopper saw that the order is being processed',
      'Nothing was ordered by the checkouts that were refused: these shoppers can order again once the system works again.',
      '1 order still waits: see Orders below.',
      `1 order not confirmed at once, and still waiting: ${order} of customer C-7, still waiting for accounting; the latest attempt made no call, because of earlier failures: connection refused`,
      'Calls were paused after 5 × connection refused: that counts calls, also those of other sections and in the background.',
      'Checkouts 1 refused; 1 cart known (1 with a total, together JMD 10.00); none was ordered since; customers: C-8',
      'Carts 2, 1 in an order that waits for accounting, 1 not ordered yet: cart_',
      'of customer C-7 (became an order: waiting for accounting)',
      'of customer C-8 (not ordered yet, JMD 10.00)',
      'Money waiting JMD 10.00 in 1 waiting order; about JMD 10.00 in 1 open cart',
      'these shoppers can order again once the system works again. Their carts are kept.',
    ])
    await recordRefusedCheckout(outages, 'C-9')
    expectAll(await readText('/customers/acme/live/C-9'), [
      'Accounting may know how to reach the customer, under the number C-9. Whom to call about accounting of Acme Parts: Ines Brown',
    ])
    expectAll((await readIncident(at)).page, [
      'Began 21 Nov 2026, ',
      '2 checkouts refused with an error 1 checkout accepted but not confirmed',
      'Checkouts 2 refused; 2 carts known (2 with a total, together JMD 20.00)',
      'of customer C-9 (not ordered yet, JMD 10.00)',
      'JMD 10.00 in 1 waiting order; about JMD 20.00 in 2 open carts',
    ])
    await placeOrder(db, order, 2, 'SO-7', at + MINUTE_MS)
    await recover(refusingLedger)
    expectAll((await readIncident(at)).page, [
      `placed once in accounting as SO-7 at ${toClock(at + MINUTE_MS)}, 1 min after the checkout, at attempt 3 (1 attempt failed, and 1 made no call, because calls were paused)`,
    ])
    expect(await readText('/')).to.include('Accounting has confirmed all orders.')
  })

  it('says of an order that looks doubled that it was placed once, and how late', async () => {
    const { clock, readText, readIncident } = outages
    const at = clock.ms
    const order = await recordDelayedOrder(outages)
    clock.ms = at + MINUTE_MS
    await outages.recover(delayingLedger)
    const { list, page } = await readIncident(at)
    expectSameDuration({ list, page }, 'between 2 s and 1 min')
    expectAll(page, [
      `1 order not confirmed at once, and confirmed since: ${order} of customer C-55, placed once in accounting as SO-1 at ${toClock(at + MINUTE_MS)}, 1 min after the checkout, at attempt 3`,
      '1 checkout accepted but not confirmed',
      'Checkouts none refused',
      'Money waiting none',
      `ended between ${toClock(at + 2_000)} (an attempt to place an order failed) and ${toClock(at + MINUTE_MS)} (an order was placed).`,
      'Carts 1, ordered since: cart_',
      'Nothing is urgent: accounting has worked since',
      ' at the latest.',
    ])
    expectAll(await readText(`/orders/${order}`), ['Number SO-1', 'accounting has this order only once'])
  })

  it('says of an order whose confirmation was lost that accounting reported it, and has it once', async () => {
    const { clock, readText, readIncident, recover } = outages
    const at = clock.ms
    const order = await recordReportedOrder(outages)
    clock.ms = at + MINUTE_MS
    await recover(delayingLedger)
    expectAll((await readIncident(at)).page, [
      `1 order not confirmed at once, and confirmed since: ${order} of customer C-56, placed once in accounting as SO-2, as accounting reported at ${toClock(at + 1_000)}, 1 s after the checkout (1 attempt failed)`,
      '1 checkout accepted but not confirmed',
    ])
    expectAll(await readText(`/orders/${order}`), ['Number SO-2', 'accounting has this order only once'])
  })

  it('says which key was revoked by mistake, by whom, and that it is still used', async () => {
    const { clock, readText, readIncident } = outages
    const at = clock.ms
    const key = await recordRevokedKey(outages, 2)
    const { list, page } = await readIncident(at)
    expect(list).to.include('Refused key till 4').and.include('Invalid API key')
    expect(list).to.not.include('of no known merchant (live) refused')
    expectAll(list, ['Still refused'])
    expectAll(page, [
      `till 4 (${key.hint}): revoked by anna at ${toClock(at)}, refused 2 times`,
      `Still refused, first at ${toClock(at)}, last sent at ${toClock(at + 20_000)}.`,
      '2 requests refused with an error Requests with this key are refused',
      'Whoever runs Forecourt knows who anna is: the name is an operator’s (forecourt operators list).',
      'What shoppers see 2 requests refused',
      'What to do: Ask anna whether the key was revoked by mistake. If the shop still needs a key, whoever runs Forecourt issues another one (forecourt keys issue), and Acme Parts puts it into the shop.',
      'Refused key till 4 of Acme Parts',
      'Refused requests 2',
    ])
    expect(page).to.include('The API key was revoked or has expired.').and.not.include('mistyped')
    expectAll(page, [`Whom to call about Acme Parts: ${ACME}`, `Whom to call about Forecourt: ${FORECOURT}`])
    expectAll(await readText(`/keys/${key.key_id}`), [
      'What to do: if the shop still needs this key, whoever runs Forecourt issues another one',
      `Whom to call about Forecourt: ${FORECOURT}`,
    ])
    const keys = await readText('/keys')
    expect(await readText('/codes/invalid_api_key'))
      .to.include('A revoked or expired key cannot be made valid again.')
      .and.not.include('Copy it again')
    expect(await readText('/codes/invalid_api_key')).to.include('Refused key till 4 (Forecourt)')
    expect(keys.indexOf('till 4')).to.be.above(0).and.below(keys.indexOf('web shop'))
    expectAll(await readText(around('/request?merchant=acme&mode=live&', at)), [`one-${at}`, 'Invalid API key'])
    expectAll(await readText(around('/request?merchant=no+valid+key&mode=live&', at)), [
      'requests of no known merchant (live), from',
      'Requests with a revoked or expired key are listed with the merchant that it belongs to.',
      'No such request was recorded.',
    ])
    expectAll(await readText(`/request?id=one-${at}`), [
      'Acme Parts live',
      'The API key was revoked or has expired.',
      `Whom to call about Acme Parts: ${ACME} Whom to call about Forecourt: ${FORECOURT}`,
    ])
    expectAll(await readText('/audit?action=key.revoke'), [`key till 4 (${key.key_id})`])
    const now = await readText('/')
    expect(now).to.match(/Shops without requests with a valid key in the last minute: \d/)
    expect(now).to.match(/No requests with a valid key in the last minute, but 1 revoked or expired key is still used/)
    // What is over comes last while something is wrong.
    expect(now.indexOf('Latest ended incident:')).to.be.above(now.indexOf('Orders, webhooks and imports'))
    clock.ms += 6 * MINUTE_MS
    await outages.diagnostics.flush()
    const later = await readIncident(at)
    for (const text of [later.list, later.page]) expect(text).to.match(/Refused key till 4 .*No longer used/)
    expect(later.page).to.not.match(/\bEnded\b/)
    expectAll(later.page, [
      `Refused, first at ${toClock(at)}, last sent at ${toClock(at + 20_000)}. Five minutes after the last of these requests, the key counts as no longer used. It is refused whenever it is sent again. No longer used: the key stays revoked or expired, and whoever used it may still lack a key.`,
    ])
  })

  for (const [reason, advice] of [
    ['the store does not respond', 'Is PostgreSQL running, and does it accept connections?'],
    ['the disk is full', 'Make room on the disk of Forecourt’s database.'],
  ] as const)
    it(`says that ${reason}: since when, what shoppers lacked, when it was over, and what to do`, async () => {
      const { clock, readText, readIncident } = outages
      const at = clock.ms
      const outage = await recordStoreOutage(outages, reason)
      expect(await readText('/'))
        .to.include(`Forecourt’s database is unavailable: ${nameReason(reason)}`)
        .and.include(`since ${toClock(at)}`)
        .and.include(`Whom to call about Forecourt: ${FORECOURT}`)
      await outage.end()
      expect(await readText('/')).to.match(
        /Latest ended incident: Forecourt’s database, last failed attempt to use it at /,
      )
      const { list, page } = await readIncident(at)
      expectSameDuration({ list, page }, 'between 11 s and 12 s')
      expectAll(list, ['Forecourt’s database (Forecourt)', 'all merchants'])
      const [last, next] = [at + 11_000, at + 12_000].map(toClock)
      expectAll(page, [
        'Sign-in, carts, checkout and orders are refused, and no webhooks are sent. Events that wait are sent when it works again.',
        advice,
        `The incident began at ${toClock(at)}, and ended between ${last} (it still failed) and ${next} (it worked again).`,
        `Last failed attempt to use the database ${last}`,
        `Last refused request ${toClock(at + 5_000)} checkout-${at}`,
        '1 new cart refused with an error 1 checkout refused with an error',
        'Merchants Acme Parts: 2 requests; no requests of the other merchants',
        `Carts 1, not ordered yet: ${outage.cartId} of customer C-9 (not ordered yet, JMD 10.00)`,
        'Checkouts 1 refused; 1 cart known (1 with a total, together JMD 10.00); none was ordered since; customers: C-9',
        'Orders none of the refused carts was ordered; orders that were confirmed before are not lost',
        'Money in open carts about JMD 10.00 in 1 open cart',
        'None of the refused carts was ordered: these shoppers can order again.',
        `atabase has worked since ${next}`,
        'sk whoever runs Forecourt wh',
        `Whom to call about Forecourt: ${FORECOURT}`,
      ])
      expectAll(await readText(around('/request?merchant=acme&mode=live&', at)), [
        `Checkout checkout 503 4 ms ${nameReason(reason).replace('the disk', 'The disk')}`,
      ])
      expectAll(await readText(`/request?id=checkout-${at}`), [
        'Refused with an error The response was 503 after 4 ms',
        'Forecourt’s own database could not be read',
        `Cause: ${nameReason(reason).replace('the disk', 'The disk')}`,
        `What to check: ${advice}`,
        'Incident of Forecourt’s database',
      ])
    })

  it('says that nothing is known about refused carts that are no longer stored', async () => {
    const { db, clock, testConsole, signIn, readIncident } = outages
    const at = clock.ms
    const outage = await recordStoreOutage(outages, 'the disk is full')
    await outage.end()
    await db.deleteFrom('carts').execute()
    expectAll((await readIncident(at)).page, [
      'Carts 1, given up or no longer stored',
      'Checkouts 1 refused; 1 cart known (1 no longer stored); whether they were ordered since is not known',
    ])
    const incidents = db.selectFrom('incidents').select('incident_id').where('section', '=', 'store')
    const { incident_id } = await incidents.executeTakeFirstOrThrow()
    const browser = await signIn()
    for (const format of ['csv', 'json']) {
      const { status } = await testConsole.get(browser, `/incidents/${incident_id}/export.${format}`)
      expect(status, format).to.equal(200)
    }
  })

  it('says that an import of fitment failed, of which file, when, and why', async () => {
    const { db, clock, readText } = outages
    const at = clock.ms
    await recordRefusedImport(outages)
    expectAll(await readText('/'), [
      'but 1 import failed',
      `Import fitment (which product fits which vehicle) of Acme Parts (live) at ${toClock(at)}. No later import succeeded.`,
      'Nothing was imported: the import in use is still that of fitment-october.csv, of 7 Nov 2026,',
      'Acme Parts (live) is configured with fitment: imported, so shoppers see that import, without what the new file adds or corrects. How many shoppers this concerns is not counted. Products, prices, carts and orders are not affected.',
      `Whom to call about Acme Parts: ${ACME} Whom to call about Forecourt: ${FORECOURT}`,
    ])
    const from = toLocalTime(at - 3 * MINUTE_MS).slice(0, 16)
    const text = await readText(`/audit?action=fitment.import&from=${from}&zone=America/Jamaica`)
    expectAll(text, [
      'Import fitment (which product fits which vehicle)',
      'Nothing imported',
      toClock(at),
      'fitment.csv',
    ])
    expectAll(text, [
      'bad lines 14',
      '--dry-run --all',
      'line 3: year &quot;20I0&quot; is not a year from 1900 to 2100',
      'and 4 more bad lines',
    ])
    expectAll(text, [
      'the import in use is still that of fitment-october.csv, of 7 Nov 2026,',
      '10 of 14 bad lines are named here, and all must be corrected. First, whoever runs Forecourt prints all 14 on its server (there, the account deploy ran the command): forecourt fitment import fitment.csv --merchant acme --mode live --dry-run --all. This changes nothing. Whoever made the file for Acme Parts corrects them.',
      'Then whoever runs Forecourt imports the file again there: forecourt fitment import fitment.csv --merchant acme --mode live.',
      `Whom to call about Acme Parts: ${ACME}`,
      `Whom to call about Forecourt: ${FORECOURT}`,
    ])
    expectAll(await readText('/audit'), ['sam (support)'])
    expect(text).to.not.include('outcome refused').and.not.include('command line command')
    expectAll(await readText(around('/incidents?', at)), [
      `${toClock(at)} Failed: Import fitment (which product fits which vehicle) of Acme Parts (live)`,
    ])
    await writeAuditEntry(
      db,
      {
        ...{ operator: 'command line', role: 'command', action: 'fitment.import', address: null, outcome: 'done' },
        target: { merchant: 'acme', mode: 'live', source: 'fitment.csv' },
      },
      at + MINUTE_MS,
    )
    clock.ms += MINUTE_MS
    expect(await readText('/')).to.not.include('import failed')
  })

  for (const [name, listed, said] of [
    [
      'logins',
      'shopper account, from one device or address',
      'There were more than 20 in 15 min; those before the limit are not recorded.',
    ],
    ['loginsByAddress', 'network address, for sign-ins', 'One network address was limited, not the key'],
    ['key', 'limit of the key', 'The API key was limited'],
  ] as const)
    it(`says that a sign-in met the limit "${name}", and until when`, async () => {
      const { clock, readText } = outages
      const at = clock.ms
      const [id] = await recordLockedOutShopper(outages, name, 1)
      const list = await readText(around('/request?merchant=acme&mode=live&kind=refused&', at))
      expect(list).to.include(`Rate limited: ${listed}`)
      if (name === 'logins')
        expectAll(await readText(`/request?id=${id}`), [
          'the right password is refused too',
          'This limit does not affect the key or any other account, and ends by itself. Until then,',
          'nothing is known of the carts and orders of that shopper; the refusal changed none of them.',
          `Whom to call about Acme Parts: ${ACME}`,
          'somebody may be guessing the password: the shopper should set a new one',
        ])
      expectAll(await readText(`/request?id=${id}`), [said, `The limit lasts until ${toClock(at + 600_000)}.`])
      expectAll(await readText('/'), [
        'Requests that were refused as they should be, such as sign-ins after too many attempts, are not failures: Request lists them',
      ])
      expectAll(await readText(around('/incidents?', at)), [
        `1 request of Acme Parts (live) refused: Rate limited: ${listed}`,
      ])
      const limited = await outages.db.selectFrom('key_days').select('limited').execute()
      expect(limited.some((day) => day.limited > 0)).to.equal(name === 'key')
    })

  it('counts the checkouts that an outage refused, and what their carts are worth', async () => {
    const { db, clock, record, readIncident } = outages
    const at = clock.ms
    const carts = await Promise.all(['C-1', 'C-2'].map((customer_id) => insertUnpricedCart(db, customer_id, at)))
    const { cart_id, version } = carts[0]!
    expect(await storeCartPricing(db, cart_id, version, { totals: { total: '120.50' } })).to.equal(true)
    const summary = 'no response in 700 ms'
    const sections = [traceFailure({ name: 'checkout', system: 'pricing', failure: 'timeout', summary }, at)]
    const refusal = { route: 'checkout', method: 'POST', url: '/v1/checkout', status: 504, code: 'downstream_timeout' }
    await record(
      [carts[0]!, carts[0]!, carts[1]!].map((cart) => ({
        ...{ ...refusal, sections, cartId: cart.cart_id, customerId: cart.customer_id },
      })),
    )
    const { page } = await readIncident(at)
    expectAll(page, [
      'Checkouts 3 refused; 2 carts known (1 with a total, together JMD 120.50); none was ordered since',
      'Money waiting about JMD 120.50 in 1 open cart; 1 open cart without a total',
      'of customer C-2 (not ordered yet, without a total)',
      '3 checkouts refused with an error',
    ])
  })

  it('says that a shopper was locked out, and why', async () => {
    const { clock, record, readText } = outages
    const at = clock.ms
    const refusal = { route: 'logInShopper', method: 'POST', url: '/v1/shoppers/login', status: 429 }
    await record([{ ...refusal, requestId: 'locked-out', code: 'rate_limited', sections: undefined }])
    const list = await readText(around('/request?merchant=acme&mode=live&kind=refused&', at))
    expect(list).to.include('locked-out').and.include('Sign-in logInShopper').and.include('Rate limited')
    expectAll(await readText('/request?id=locked-out'), [
      'too many attempts by one shopper',
      'has to wait, an hour at the most',
    ])
  })

  it('says of a failed sign-in when the account is limited, and whom to call', async () => {
    const { record, readText } = outages
    const refusal = { route: 'logInShopper', method: 'POST', url: '/v1/shoppers/login', status: 401 }
    await record([{ ...refusal, requestId: 'wrong-password', code: 'invalid_credentials', sections: undefined }])
    expectAll(await readText('/request?id=wrong-password'), [
      'After more than 20 such sign-ins in 15 min from one device or network address, the account is limited, and further ones get 429: the page of such a request says until when.',
      `Whom to call about Acme Parts: ${ACME}`,
    ])
  })

  it('takes the times of Audit as the pages show them', async () => {
    const { db, clock, readText } = outages
    const at = clock.ms
    const entry = { operator: 'till', role: 'operator', action: 'test.try', address: null, outcome: 'done' } as const
    for (const offset of [-1, 0, 1])
      await writeAuditEntry(db, { ...entry, target: { n: `try${offset}` } }, at + offset * MINUTE_MS)
    clock.ms = at + 2 * MINUTE_MS
    const tries = async (query: string) =>
      (await readText(`/audit?action=test.try&${query}`)).match(/try-?\d/g)?.toSorted() ?? []
    const [from, to] = [toClock(at - 1_000), toClock(at + 1_000)]
    expect(await tries(new URLSearchParams({ from, to }).toString())).to.deep.equal(['try0'])
    expect(await tries(`from=${encodeURIComponent(from)}`)).to.deep.equal(['try0', 'try1'])
    expect(await readText('/audit?from=yesterday')).to.include('A time was not understood, so it was ignored.')
  })

  it('says that an endpoint fails, since when, how it responds, and which events wait', async () => {
    const { clock, readText } = outages
    const at = clock.ms
    const endpoint = await recordFailingEndpoint(outages)
    expectAll(await readText('/'), [
      'Failing Webhooks: 1 endpoint without a successful attempt for 15 minutes or longer',
      `https://erp.acme.example/… of Acme Parts (live), since ${toClock(at)}. Whom to call about Acme Parts: ${ACME}`,
    ])
    expectAll(await readText(around('/incidents?', at)), [
      'Webhook endpoint https://erp.acme.example/… of Acme Parts (live): all attempts have failed since then',
    ])
    expectAll(await readText('/webhooks'), [`Failing 9 failed attempts in a row, since ${toClock(at)}`])
    expectAll(await readText(`/webhooks/${endpoint}`), [
      'Acme Parts (live)',
      'order.confirmed',
      `Pending next attempt ${toClock(at + NEXT_ATTEMPT_MS)}`,
      '3 events wait: order.confirmed of SO-100, order.confirmed of SO-101, order.confirmed of SO-102.',
      'a system of Acme Parts: it responds with status 500. The endpoint failed while it handled the event. Its own log has the error. Until the endpoint accepts these events',
      'Delivered',
    ])
    expectAll(await readText(`/webhooks/${endpoint}`), [`Whom to call about Acme Parts: ${ACME}`])
    expectAll(await readText(`/webhooks/${endpoint}`), [
      'tell whoever runs this endpoint',
      'Shoppers are not affected: carts, orders and payments do not wait for webhooks.',
    ])
    expectAll(await readText(`/webhooks/${endpoint}/deliveries/00000000-0000-4000-8000-000000000000`), [
      'The endpoint failed while it handled the event. Its own log has the error',
      'Forecourt sends the event again by itself',
      'an operator can send it at once from this page, but need not. Your account is read-only.',
      'About order SO-100',
    ])
    clock.ms = at + 64 * MINUTE_MS
    await outages.signIn()
    expectAll(await readText(`/webhooks/${endpoint}`), [
      `Pending due since ${toClock(at + NEXT_ATTEMPT_MS)}`,
      'Events are due, and none is being sent now. This page does not know whether they wait for the endpoint or for Forecourt.',
      `Whom to call about Forecourt: ${FORECOURT}`,
      'Nobody has to send the waiting events: Forecourt sends each of them again by itself, for about two days. Then the event is abandoned.',
      'an operator can send the waiting ones at once, and has to send the abandoned ones, within 30 days, from this page. Your account is read-only, so ask an operator.',
    ])
    await recoverEndpoint(outages)
    expect(await readText(`/webhooks/${endpoint}`)).to.not.match(/are due|events? waits?/)
  })
})
