import { expect } from 'chai'
import { findUrlMistake } from '../../src/egress/endpoint-rules.ts'
import { isPublicAddress } from '../../src/egress/public-address.ts'

const rules = { ports: [443, 8443], allow: [] }
const trying = { ports: [443], allow: ['localhost', '10.1.2.3:9000', '[::1]:9000'] }

describe('an endpoint URL', () => {
  for (const url of ['https://shop.example/hook?x=1', 'https://shop.example:443/', 'https://shop.example:8443']) {
    it(`is allowed: ${url}`, () => expect(findUrlMistake(url, rules)).to.equal(null))
  }

  for (const [url, mistake] of [
    ['', 'it is not a valid URL'],
    ['shop.example', 'it is not a valid URL'],
    ['//shop.example', 'it is not a valid URL'],
    ['https:shop.example', 'it is not a valid URL'],
    ['https:///shop.example', 'it is not a valid URL'],
    ['https:\\\\shop.example', 'it is not a valid URL'],
    ['https://shop.example\\@127.0.0.1/', 'it is not a valid URL'],
    ['https://shop.example/\n', 'it is not a valid URL'],
    ['https://sh\top.example/', 'it is not a valid URL'],
    [' https://shop.example/', 'it is not a valid URL'],
    ['ftp://shop.example/', 'it does not begin with https'],
    ['javascript:alert(1)', 'it does not begin with https'],
    ['https://shop.example:99999/', 'it is not a valid URL'],
    ['http://shop.example/', 'it does not begin with https'],
    ['https://shop.example:444/', 'its port is not allowed'],
    ['https://shop.example:22/', 'its port is not allowed'],
    ['https://user@shop.example/', 'it contains a user name or password'],
    ['https://user:word@shop.example/', 'it contains a user name or password'],
    ['https://:word@shop.example/', 'it contains a user name or password'],
    ['https://shop.example/#top', 'it contains a fragment (#)'],
    ['https://shop.example/#', 'it contains a fragment (#)'],
    ['https://127.0.0.1/', 'its host is an IP address, not a name'],
    ['https://93.184.216.34/', 'its host is an IP address, not a name'],
    ['https://127.1/', 'its host is an IP address, not a name'],
    ['https://0x7f.1/', 'its host is an IP address, not a name'],
    ['https://2130706433/', 'its host is an IP address, not a name'],
    ['https://017700000001/', 'its host is an IP address, not a name'],
    ['https://127.0.0.1./', 'its host is an IP address, not a name'],
    ['https://①②⑦.0.0.1/', 'its host is an IP address, not a name'],
    ['https://[::1]/', 'its host is an IP address, not a name'],
    ['https://[::ffff:127.0.0.1]/', 'its host is an IP address, not a name'],
    ['https://[2606:4700::1111]/', 'its host is an IP address, not a name'],
    ['https://localhost/', 'its host name has no domain, or ends with a dot'],
    ['https://metadata/', 'its host name has no domain, or ends with a dot'],
    ['https://shop.example./', 'its host name has no domain, or ends with a dot'],
  ] as const) {
    it(`is refused: ${JSON.stringify(url)}: ${mistake}`, () => expect(findUrlMistake(url, rules)).to.equal(mistake))
  }

  it('may be private, and use http, when the configuration allows its host', () => {
    const urls = ['http://localhost:8000/', 'https://LOCALHOST/', 'http://10.1.2.3:9000/x', 'http://[::1]:9000/']
    for (const url of urls) expect(findUrlMistake(url, trying), url).to.equal(null)
    for (const url of ['http://10.1.2.3:9001/', 'http://10.1.2.3/', 'http://[::1]/', 'http://localhost.example/'])
      expect(findUrlMistake(url, trying), url).to.be.a('string')
    expect(findUrlMistake('http://user@localhost/', trying)).to.be.a('string')
    expect(findUrlMistake('ftp://localhost/', trying)).to.be.a('string')
  })
})

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
