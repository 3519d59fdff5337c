import { expect } from 'chai'
import { expectAll } from './expect-on-page.ts'
import { type OutageConsole, openOutageConsole } from './outage-console.ts'
import { around } from './outage-times.ts'

describe('a checkout of the demo shop that the API refused', () => {
  let outages: OutageConsole

  before(async () => {
    outages = await openOutageConsole()
  })
  after(() => outages[Symbol.asyncDispose]())

  it('is no request without a valid key, and its two records are told as one request', async () => {
    const { clock, readText, record } = outages
    const at = clock.ms
    const refused = { requestId: 'shop-1', mode: 'sandbox', method: 'POST', status: 409 } as const
    await record([
      { ...refused, url: '/v1/checkout', route: 'checkout', code: 'price_changed' },
      { ...refused, url: '/shop/account/checkout', route: 'shop', tenant: null, keyId: null },
    ])
    const list = await readText(around('/incidents?', at))
    expect(list).to.include('1 request of Acme Parts (sandbox) refused: Price changed')
    expect(list).to.not.match(/of no known merchant|refused: (\d|See|$)/)
    const page = await readText('/request?id=shop-1')
    expectAll(page, ['2 records have this id, and belong to one request:', 'Server of the demo shop'])
    expect(page).to.not.match(/no merchant|clients can choose/)
    expect(page.indexOf('Acme Parts sandbox')).to.be.below(page.lastIndexOf('Server of the demo shop sandbox'))
  })

  it('has a reason, whatever else was refused without a code', async () => {
    const { clock, readText, record } = outages
    await record([{ requestId: 'none', tenant: null, keyId: null, route: 'none', status: 400 }])
    expect(await readText(around('/incidents?', clock.ms))).to.include(
      '1 request of no known merchant (live) refused: status 400',
    )
  })
})
