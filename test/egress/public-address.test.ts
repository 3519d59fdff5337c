import { expect } from 'chai'
import { isPublicAddress } from '../../src/egress/public-address.ts'

describe('a public address', () => {
  const publicOnes = '93.184.216.34 1.1.1.1 172.32.0.1 100.128.0.1 2606:4700:4700::1111 2a00:1450:4001::200e'
  for (const address of publicOnes.split(' '))
    it(`includes ${address}`, () => expect(isPublicAddress(address)).to.equal(true))

  for (const [kind, addresses] of Object.entries({
    'this host': '0.0.0.0 0.1.2.3 ::',
    loopback: '127.0.0.1 127.255.255.254 ::1',
    private: '10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 fc00::1 fd00:ec2::254 fec0::1',
    'link-local': '169.254.0.1 169.254.169.254 fe80::1 fe80::1%eth0',
    shared: '100.64.0.1 100.100.100.200 100.127.255.255',
    multicast: '224.0.0.1 239.255.255.255 ff02::1',
    broadcast: '255.255.255.255',
    reserved: '192.0.0.192 192.0.2.1 198.51.100.1 203.0.113.1 240.0.0.1 192.88.99.1 100::1 2001:db8::1 3fff::1 5f00::1',
    benchmarking: '198.18.0.1 198.19.255.255 2001:2::1',
    mapped: '::ffff:127.0.0.1 ::ffff:93.184.216.34 ::ffff:0:127.0.0.1',
    compatible: '::127.0.0.1 ::93.184.216.34',
    '6to4': '2002:7f00:1::1 2002:5db8:d822::1',
    Teredo: '2001::1 2001:0:5ef5:79fd::1',
    NAT64: '64:ff9b::127.0.0.1 64:ff9b::5db8:d822 64:ff9b:1::1',
    'not given out': '4000::1 1::1 e000::1',
    'a platform': '168.63.129.16',
    'no address': 'shop.example 300.1.1.1',
  })) {
    for (const address of addresses.split(' '))
      it(`excludes ${kind}: ${address}`, () => expect(isPublicAddress(address)).to.equal(false))
  }
})
