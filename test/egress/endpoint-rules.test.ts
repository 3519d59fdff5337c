import { expect } from 'chai'
import { findUrlMistake } from '../../src/egress/endpoint-rules.ts'

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
