import { expect } from 'chai'
import { expectAll } from './expect-on-page.ts'
import { openOutageConsole } from './outage-console.ts'
import { around, toClock } from './outage-times.ts'

const refused = { status: 409, code: 'line_unavailable', route: 'checkout', sections: undefined, ms: 12 }

describe('the requests of a time, from the incidents of all merchants', () => {
  it('are those of every merchant and mode, and those of none', async () => {
    await using outages = await openOutageConsole()
    const { clock, record, readText, testConsole, signIn } = outages
    const at = clock.ms
    await record([
      { ...refused, requestId: 'req-acme' },
      { ...refused, requestId: 'req-zenith', tenant: 'zenith' },
      { ...refused, requestId: 'req-sandbox', mode: 'sandbox' },
      { ...refused, requestId: 'req-keyless', tenant: null, keyId: null, status: 401, code: 'invalid_api_key' },
      { ...refused, requestId: 'req-elsewhere', tenant: 'elsewhere', keyId: 'key_elsewhere' },
    ])
    const follow = async (path: string) => {
      const { text } = await testConsole.get(await signIn(), path)
      const [, href] = /href="([^"]+)">refused and slow requests of that time</.exec(text)!
      return readText(href!.replaceAll('&amp;', '&'))
    }
    const all = await follow(around('/incidents?', at))
    expect(all.match(/\breq-\w+/g)).to.deep.equal(['req-keyless', 'req-sandbox', 'req-zenith', 'req-acme'])
    expectAll(all, [
      'requests of all merchants (live and sandbox), from',
      `req-zenith Zenith (live) ${toClock(at + 1_000)} `,
      `req-sandbox Acme Parts (sandbox) ${toClock(at + 2_000)} `,
      `req-keyless no merchant (live) ${toClock(at + 3_000)} `,
    ])
    expect((await readText(around('/request?', at))).match(/\breq-\w+/g)).to.deep.equal(all.match(/\breq-\w+/g))
    const zenith = await follow(around('/incidents?merchant=zenith&', at))
    expect(zenith.match(/\breq-\w+/g)).to.deep.equal(['req-zenith'])
  })
})
