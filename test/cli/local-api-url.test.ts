import { expect } from 'chai'
import { toReachableUrl } from '../../src/cli/local-api-url.ts'

describe('the URL of a local API', () => {
  it('is one that clients can connect to', () => {
    expect(toReachableUrl({ host: '::', port: 9_000 })).to.equal('http://127.0.0.1:9000')
    expect(toReachableUrl({ host: '::1', port: 9_000 })).to.equal('http://[::1]:9000')
    expect(toReachableUrl({ host: '0.0.0.0', port: 9_000 })).to.equal('http://127.0.0.1:9000')
  })
})
