import { expect } from 'chai'
import { callTrace } from '../../diagnostics/diagnostics-setup.ts'
import { describeOutages } from './describe-outages.ts'
import { expectAll, expectSameDuration } from './expect-on-page.ts'
import { insertOpenCart } from './insert-carts-and-orders.ts'
import { around, MINUTE_MS, toClock } from './outage-times.ts'
import { toRequests, traceFailure } from './system-outage.ts'
import { systemOutages } from './system-outage-cases.ts'

const toMinute = (ms: number) => ms - (ms % MINUTE_MS)

describeOutages('an outage of a system, from a clock time alone', (outages) => {
  for (const outage of systemOutages)
    it(`says of "${outage.name}" what failed, since when, whom it hit, what shoppers saw, that it is over, and what to do`, async () => {
      const { clock, readIncident } = outages()
      const readNow = async () =>
        /Latest ended incident: .* Figures cover/.exec(await outages().readText('/'))?.[0] ?? ''
      const beganAt = clock.ms
      await outages().recordOutage(outage)
      const lastAt = clock.ms - 1_000
      const ongoing = (await readIncident(beganAt)).page
      expectAll(ongoing, ['The incident is ongoing', 'What shoppers see', 'What to do: Tell whoever runs'])
      await outages().recover(outage)
      const { list, page } = await readIncident(beganAt)
      expectAll(list, [...outage.list, 'Ended'])
      const [began, last, next] = [beganAt, lastAt, lastAt + 11_000].map(toClock)
      const ended =
        began === last
          ? `The only degraded response was sent at ${began}. The incident was over at ${next} (next good response) at the latest.`
          : `The incident began at ${began}, and ended between ${last} (last degraded response) and ${next} (next good response).`
      expectAll(page, [...outage.page, ended])
      const [shortest, longest] = [lastAt - beganAt, lastAt + 11_000 - beganAt].map((ms) => `${ms / 1_000} s`)
      expectSameDuration(
        { list, page },
        lastAt === beganAt ? `at most ${longest}` : `between ${shortest} and ${longest}`,
      )
      expect(page).to.not.include('the text of the system')
      const { merchant = 'acme' } = outage
      const [from, to] = [-7, 13].map((minutes) => toClock(toMinute(beganAt) + minutes * MINUTE_MS))
      expectAll(await outages().readText(around(`/request?merchant=${merchant}&mode=live&`, beganAt)), [
        `Degraded, slow and refused requests of ${merchant === 'acme' ? 'Acme Parts' : 'Zenith'} (live), from ${from} to ${to}.`,
      ])
      const latest = await readNow()
      expect(latest).to.include(`last degraded response at ${toClock(lastAt)}.`)
      if (outage.name === 'inventory is stopped') expect(latest).to.match(/\((inventory)\) of Acme Parts \(live\)/)
      expectAll(await outages().readText('/'), ['Inventory search is the same system as inventory.'])
      expect(latest.includes('does not go away by itself')).to.equal(page.includes('does not go away by itself'))
    })

  it('says of a request in which calls were paused that it made no call, and why', async () => {
    const outage = systemOutages[1]!
    const [, paused] = toRequests(outage, outages().clock.ms)
    await outages().record([{ ...paused, requestId: 'paused' }])
    const page = await outages().readText('/request?id=paused')
    expectAll(page, [
      'The response was 200 after 3 ms',
      'older value (calls paused after: incomplete response after 700 ms)',
      'No call, after: incomplete response after 700 ms',
      'not sent',
      'Prices and taxes of a signed-in customer, carts, checkout and orders are never read from a mirror. All else is read from the system if the merchant has no mirror, or if the mirror did not have that part or product at that time, or only too old; which of these it was is not recorded.',
    ])
  })

  it('says of a cart without a total what is in it, what it was worth, and that nothing is to be done about it', async () => {
    const { db, clock, readText } = outages()
    const outage = systemOutages.find(({ name }) => name.startsWith('a cart has no total'))!
    const { cart_id: cartId } = await insertOpenCart(db, 'C-31', clock.ms)
    const beganAt = clock.ms
    await outages().recordOutage(outage, { cartId, customerId: 'C-31', url: `/v1/carts/${cartId}/price` })
    await outages().recover(outage)
    expectAll((await outages().readIncident(beganAt)).page, [
      `Carts 1, not ordered yet: ${cartId} of customer C-31 (not ordered yet, JMD 10.00)`,
      'Money in open carts about JMD 10.00 in 1 open cart',
      'Nothing is to be done about the cart: the lines are kept, and the next total is computed anew.',
    ])
    expectAll(await readText(`/carts/${cartId}`), [
      `Total JMD 10.00 at ${toClock(beganAt - MINUTE_MS)}`,
      'BP-1001 Brake pad 1 EA',
    ])
  })

  it('says that accounting refuses only orders, while its other calls succeed', async () => {
    const { clock, record, readIncident } = outages()
    const beganAt = clock.ms
    const failure = { name: 'checkout', system: 'accounting', failure: 'error', summary: 'responded 500' } as const
    const call = (operation: string, outcome: 'ok' | 'error') =>
      callTrace({ system: 'accounting', operation, outcome, at: beganAt - 40, ms: 30 })
    const checkout = {
      route: 'checkout',
      method: 'POST',
      url: '/v1/checkout',
      status: 200,
      customerId: 'C-41',
      requestId: 'orders-alone',
    }
    const calls = [call('customer', 'ok'), call('taxes', 'ok'), call('placeOrder', 'error')]
    await record([{ ...checkout, calls, sections: [traceFailure(failure, beganAt)] }])
    expectAll((await readIncident(beganAt)).page, [
      'HTTP 500 1',
      'In the sample requests, these calls to accounting failed: Place an order. These succeeded: Customer account, Taxes.',
    ])
  })

  it('says one thing of an unreadable response, of its request and of its incident', async () => {
    const outage = systemOutages.find(({ name }) => name === 'inventory returns garbage')!
    const [refused] = toRequests(outage, outages().clock.ms)
    await outages().record([{ ...refused, requestId: 'unreadable' }])
    const page = await outages().readText('/request?id=unreadable')
    expectAll(page, ['Problem downstream_error The response of the system does not follow its protocol.'])
    expect(page).to.not.include('responded with an error, or rejected')
  })

  it('says Login refused of a request and of its incident', async () => {
    const outage = systemOutages.find(({ merchant }) => merchant === 'zenith')!
    const [refused] = toRequests(outage, outages().clock.ms)
    await outages().record([{ ...refused, requestId: 'refused-login' }])
    const page = await outages().readText('/request?id=refused-login')
    expectAll(page, ['Login refused unauthorized'])
    expect(page).to.not.include('Error response')
  })
})
