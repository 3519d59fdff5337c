import { expect } from 'chai'
import { canonicalizeAddress, createAddressMatcher, toNetwork } from '../../src/security/ip-address.ts'

describe('IP addresses', () => {
  it('have one form', () => {
    const forms = {
      '192.0.2.7': '192.0.2.7',
      '::ffff:192.0.2.7': '192.0.2.7',
      '::FFFF:c000:0207': '192.0.2.7',
      '2001:DB8:0:0::1': '2001:db8::1',
      'fe80::1%eth0': 'fe80::1',
    }
    for (const [text, form] of Object.entries(forms)) expect(canonicalizeAddress(text), text).to.equal(form)
    for (const text of [
      '',
      'unknown',
      '127.1',
      '0x7f.0.0.1',
      '010.0.0.1',
      '1.2.3.4:80',
      '[::1]',
      '1.2.3.4/8',
      ' 1.2.3.4',
    ])
      expect(canonicalizeAddress(text), text).to.equal(null)
  })

  it('of version 6 are shortened to what one client owns', () => {
    for (const text of ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:0DB8:1:2::%eth0'])
      expect(toNetwork(text), text).to.equal('2001:db8:1:2::/64')
    expect(toNetwork('2001:db8:1:3::1')).to.equal('2001:db8:1:3::/64')
    for (const text of ['192.0.2.7', 'unknown', 'anna@shop.example', 'a:b']) expect(toNetwork(text)).to.equal(text)
    expect(toNetwork('::ffff:192.0.2.7')).to.equal('192.0.2.7')
  })

  it('match addresses, networks and the word loopback', () => {
    const matches = createAddressMatcher(['loopback', '10.0.0.0/8', '192.0.2.7', '2001:db8::/32'])
    for (const inside of ['127.0.0.1', '127.9.9.9', '::1', '10.255.0.1', '192.0.2.7', '2001:db8::9'])
      expect(matches(inside), inside).to.equal(true)
    for (const outside of ['128.0.0.1', '11.0.0.1', '192.0.2.8', '2001:db9::9', '::2', 'unknown', ''])
      expect(matches(outside), outside).to.equal(false)
    expect(createAddressMatcher([])('127.0.0.1')).to.equal(false)
  })
})
