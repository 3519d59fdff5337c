import { expect } from 'chai'
import { describeOutages } from './describe-outages.ts'
import { expectAll, expectSameDuration } from './expect-on-page.ts'
import { FORECOURT_CONTACT } from './outage-merchants.ts'
import { around, toClock } from './outage-times.ts'
import { recordStoreOutage } from './record-store-outage.ts'

/** A shop is called a store as well. */
const nameReason = (reason: string) => reason.replace('the store', 'Forecourt’s database')

describeOutages('an outage of the store, from a clock time alone', (outages) => {
  for (const [reason, advice] of [
    ['the store does not respond', 'Is PostgreSQL running, and does it accept connections?'],
    ['the disk is full', 'Make room on the disk of Forecourt’s database.'],
  ] as const)
    it(`says that ${reason}: since when, what shoppers lacked, when it was over, and what to do`, async () => {
      const { clock, readText, readIncident } = outages()
      const at = clock.ms
      const outage = await recordStoreOutage(outages(), reason)
      expect(await readText('/'))
        .to.include(`Forecourt’s database is unavailable: ${nameReason(reason)}`)
        .and.include(`since ${toClock(at)}`)
        .and.include(`Whom to call about Forecourt: ${FORECOURT_CONTACT}`)
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
        `Whom to call about Forecourt: ${FORECOURT_CONTACT}`,
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

  it('counts the refused requests as degraded on the timeline', async () => {
    const outage = await recordStoreOutage(outages(), 'the disk is full')
    await outage.end()
    expect(await outages().readText('/timeline?merchant=acme&mode=live')).to.match(
      /All responses Degraded: ([1-9]\d*) of \1 responses \(100\s?%\)/,
    )
  })

  it('names the cause of the first requests, too, which failed before it was known', async () => {
    const { clock, storeState, diagnostics, record, readIncident } = outages()
    const at = clock.ms
    const refused = { route: 'createCart', method: 'POST', url: '/v1/carts', status: 503, code: 'store_unavailable' }
    await record([{ ...refused, requestId: `early-${at}`, ms: 4 }])
    storeState.outage = { beganAt: at, reason: 'the store does not respond', isUnreachable: true }
    await record([{ ...refused, ms: 4 }])
    storeState.outage = null
    await diagnostics.flush()
    const { list, page } = await readIncident(at)
    expect(list).to.include('Forecourt’s database does not respond × 2')
    expectAll(page, [
      'Forecourt’s database does not respond 2',
      `early-${at} ${toClock(at)} New cart createCart Forecourt’s database does not respond`,
    ])
  })

  it('says that nothing is known about refused carts that are no longer stored', async () => {
    const { db, clock, testConsole, signIn, readIncident } = outages()
    const at = clock.ms
    const outage = await recordStoreOutage(outages(), 'the disk is full')
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
})
