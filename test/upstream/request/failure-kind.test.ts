import { expect } from 'chai'
import { UpstreamError, type UpstreamFailure } from '../../../src/errors.ts'
import { failureKind } from '../../../src/upstream/request/failure-kind.ts'

describe('the kind of a failure', () => {
  const kindOf = (failure: UpstreamFailure, summary?: string) =>
    failureKind(new UpstreamError(failure, 'GET /secret of erp.internal', summary === undefined ? {} : { summary }))

  for (const [summary, kind] of [
    ['ECONNREFUSED', 'connection refused'],
    ['ENOTFOUND', 'name not found'],
    ['EAI_AGAIN', 'name not found'],
    ['CERT_HAS_EXPIRED', 'TLS certificate expired'],
    ['CERT_NOT_YET_VALID', 'TLS certificate not valid yet'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'TLS certificate for another name'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'TLS certificate not trusted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'TLS certificate not trusted'],
    ['EPROTO', 'TLS handshake failed'],
    ['EHOSTUNREACH', 'no route to the system'],
    ['UND_ERR_CONNECT_TIMEOUT', 'no connection in time'],
    ['ECONNRESET', 'connection lost'],
    ['ERR', 'connection failed'],
    ['the catalog mirror cannot be read', 'the catalog mirror cannot be read'],
  ] as const)
    it(`is "${kind}" after ${summary}`, () => expect(kindOf('unavailable', summary)).to.equal(kind))

  it('has the status of an error response', () => {
    expect(kindOf('error', 'responded 502')).to.equal('HTTP 502')
    expect(kindOf('rejected', 'responded 403')).to.equal('HTTP 403')
    expect(kindOf('rejected', 'responded 422: Invalid language code')).to.equal('HTTP 422')
    expect(kindOf('unauthorized', 'responded 401')).to.equal('login refused')
    expect(kindOf('misconfigured', 'Odoo has no payment term "X"')).to.equal('wrong setting')
    expect(kindOf('invalid')).to.equal('unreadable response')
  })

  it('rounds the time of a timeout, so that equal failures count as one kind', () => {
    const kinds = ['no response in 700 ms', 'no response in 703 ms', 'no response in 749 ms'].map((summary) =>
      kindOf('timeout', summary),
    )
    expect(new Set(kinds)).to.deep.equal(new Set(['no response in 700 ms']))
    expect(kindOf('timeout', 'no response in 12 ms')).to.equal('no response in time')
    expect(kindOf('timeout', 'incomplete response after 12 ms')).to.equal('incomplete response')
    expect(kindOf('timeout')).to.equal('no response in time')
  })

  it('is that of the failures that opened the circuit, for a call that the circuit refused', () => {
    const refused = new UpstreamError('circuit_open', 'open', { openedBy: 'connection refused' })
    expect(failureKind(refused)).to.equal('connection refused')
    expect(kindOf('circuit_open')).to.equal('circuit open')
  })
})
