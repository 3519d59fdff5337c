import { expect } from 'chai'
import fc from 'fast-check'
import { findForwardedClient } from '../../../src/http/access/find-forwarded-client.ts'
import { createAddressMatcher } from '../../../src/security/ip-address.ts'

const isTrusted = createAddressMatcher(['10.0.0.0/8', 'fd00::/8'])
const byFor = (header: string) => findForwardedClient({ 'x-forwarded-for': header }, isTrusted)
const byForwarded = (header: string) => findForwardedClient({ forwarded: header }, isTrusted)

describe('the client that a trusted proxy names', () => {
  it('is the first address from the right of X-Forwarded-For that is not a trusted proxy’s', () => {
    const clients = {
      '192.0.2.1': '192.0.2.1',
      '203.0.113.9, 192.0.2.1': '192.0.2.1',
      '203.0.113.9, 192.0.2.1, 10.0.0.2 ,fd00::7': '192.0.2.1',
      '203.0.113.9,,192.0.2.1,': '192.0.2.1',
      '192.0.2.1:5060': '192.0.2.1',
      '[2001:DB8::1]:443': '2001:db8::1',
      '2001:db8::1': '2001:db8::1',
      '::ffff:192.0.2.1': '192.0.2.1',
      // Everybody is trusted: the one furthest away.
      '10.0.0.9, 10.0.0.2': '10.0.0.9',
    }
    for (const [header, client] of Object.entries(clients)) expect(byFor(header), header).to.equal(client)
  })

  it('is the same for Forwarded', () => {
    const clients = {
      'for=192.0.2.1': '192.0.2.1',
      'For="192.0.2.1:47011";proto=https;by=10.0.0.1': '192.0.2.1',
      'proto=http; for="[2001:db8::1]:80"': '2001:db8::1',
      'for=203.0.113.9, for=192.0.2.1;host="shop.example", for=10.0.0.2': '192.0.2.1',
      'for="192.0.2.1:_port"': '192.0.2.1',
      'for=[2001:db8::1]': '2001:db8::1',
    }
    for (const [header, client] of Object.entries(clients)) expect(byForwarded(header), header).to.equal(client)
  })

  it('is unknown where the proxy’s own entry is malformed or hidden', () => {
    for (const header of [
      'x',
      'unknown',
      '203.0.113.9, 127.1',
      '1.2.3.4.5',
      '[::1',
      '1.2.3.4:80:80',
      '9.9.9.9, 10.0.0.2, ?',
    ])
      expect(byFor(header), header).to.equal('unknown')
    for (const header of [
      'for=unknown',
      'for=_hidden',
      'proto=https',
      'for=192.0.2.1;for=203.0.113.9',
      'for="192.0.2.1',
      'for=192.0.2.1"',
      'for="192.0.2.\\1"',
      'for = 192.0.2.1',
      '192.0.2.1',
      'for=203.0.113.9, for=',
    ])
      expect(byForwarded(header), header).to.equal('unknown')
  })

  it('is left to the connection by headers without an entry', () => {
    expect(findForwardedClient({}, isTrusted)).to.equal(null)
    expect([byFor(''), byFor(' , ,'), byForwarded(',')]).to.deep.equal([null, null, null])
  })

  it('is unknown when both headers name different clients: the client may have written one of them', () => {
    const both = (xForwardedFor: string, forwarded: string) =>
      findForwardedClient({ 'x-forwarded-for': xForwardedFor, forwarded }, isTrusted)
    expect(both('192.0.2.1', 'for=203.0.113.9')).to.equal('unknown')
    expect(both('192.0.2.1', 'nonsense')).to.equal('unknown')
    expect(both('203.0.113.9, 192.0.2.1', 'for="192.0.2.1:80", for=10.0.0.2')).to.equal('192.0.2.1')
  })

  const rough = fc.string({
    unit: fc.oneof(fc.constantFrom(...',;="\\ []:.%_', 'for=', '9.9.9.9', '10.0.0.1'), fc.string({ maxLength: 3 })),
    maxLength: 60,
  })
  const client = fc
    .oneof(fc.ipV4(), fc.ipV6())
    .filter((address) => !isTrusted(address) && !address.startsWith('::ffff'))

  it('is never what the client wrote, whatever it wrote', () => {
    const canonical = (address: string) => byFor(address)
    fc.assert(
      fc.property(rough, client, (own, address) => {
        expect(byFor(`${own}, ${address}`)).to.equal(canonical(address))
        const node = address.includes(':') ? `"[${address}]"` : address
        expect(byForwarded(`${own}, for=${node};proto=https`)).to.equal(canonical(address))
      }),
    )
  })

  it('is an address or unknown for any text, of any size', () => {
    const isAnswer = (found: string | null) => found === null || found === 'unknown' || /^[\da-f.:]+$/.test(found)
    fc.assert(fc.property(rough, (header) => isAnswer(byFor(header)) && isAnswer(byForwarded(header))))
    for (const text of [',', '"', ';', '10.0.0.1,', 'for=10.0.0.1,', 'for=";,', '[', '\\"'])
      expect(isAnswer(byFor(text.repeat(16_384))) && isAnswer(byForwarded(text.repeat(16_384))), text).to.equal(true)
  })
})
