import { expect } from 'chai'
import { describeOutages } from './describe-outages.ts'
import { expectAll } from './expect-on-page.ts'
import { NEXT_ATTEMPT_MS, recordFailingEndpoint, recoverEndpoint } from './failing-webhook-endpoint.ts'
import { ACME_CONTACT, FORECOURT_CONTACT } from './outage-merchants.ts'
import { around, MINUTE_MS, toClock } from './outage-times.ts'

describeOutages('a webhook endpoint that fails, from a clock time alone', (outages) => {
  it('says that an endpoint fails, since when, how it responds, and which events wait', async () => {
    const { clock, readText } = outages()
    const at = clock.ms
    const endpoint = await recordFailingEndpoint(outages())
    expectAll(await readText('/'), [
      'Failing Webhooks: 1 endpoint without a successful attempt for 15 minutes or longer',
      `https://erp.acme.example/… of Acme Parts (live), since ${toClock(at)}. Whom to call about Acme Parts: ${ACME_CONTACT}`,
    ])
    expect(await readText('/'), 'what is well comes later').to.match(
      /Failing Webhooks: .* OK Accounting has confirmed all orders\. Shops without requests/,
    )
    expectAll(await readText(around('/incidents?', at)), [
      'Webhook endpoint https://erp.acme.example/… of Acme Parts (live): all attempts have failed since then',
    ])
    const earlier = 'Began earlier, and still fails: Webhook endpoint https://erp.acme.example/…'
    expect(await readText(around('/incidents?', at))).to.not.include(earlier)
    expect(await readText(around('/incidents?', at + 20 * MINUTE_MS))).to.include(`${toClock(at)} ${earlier}`)
    expectAll(await readText('/webhooks'), [`Failing 9 failed attempts in a row, since ${toClock(at)}`])
    expectAll(await readText(`/webhooks/${endpoint}`), [
      'Acme Parts (live)',
      'order.confirmed',
      `Pending next attempt ${toClock(at + NEXT_ATTEMPT_MS)}`,
      '3 events wait: order.confirmed of SO-100, order.confirmed of SO-101, order.confirmed of SO-102.',
      'a system of Acme Parts: it responds with status 500. The endpoint failed while it handled the event. Its own log has the error. Until the endpoint accepts these events',
      'Delivered',
    ])
    expectAll(await readText(`/webhooks/${endpoint}`), [`Whom to call about Acme Parts: ${ACME_CONTACT}`])
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
    await outages().signIn()
    expectAll(await readText(`/webhooks/${endpoint}`), [
      `Pending due since ${toClock(at + NEXT_ATTEMPT_MS)}`,
      'Events are due, and none is being sent now. This page does not know whether they wait for the endpoint or for Forecourt.',
      `Whom to call about Forecourt: ${FORECOURT_CONTACT}`,
      'Nobody has to send the waiting events: Forecourt sends each of them again by itself, for about two days. Then the event is abandoned.',
      'an operator can send the waiting ones at once, and has to send the abandoned ones, within 30 days, from this page. Your account is read-only, so ask an operator.',
    ])
    await recoverEndpoint(outages())
    expect(await readText(`/webhooks/${endpoint}`)).to.not.match(/are due|events? waits?/)
  })
})
