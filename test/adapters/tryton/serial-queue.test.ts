import { expect } from 'chai'
import { createSerialQueue } from '../../../adapters/tryton/orders/serial-queue.ts'
import { UpstreamError } from '../../../src/errors.ts'
import { createCall } from '../../support/create-call.ts'
import { failureOf } from '../../support/failure-of.ts'

describe('tryton: the serial queue', () => {
  it('runs one task at a time after successes and failures, and skips aborted callers', async () => {
    const inTurn = createSerialQueue()
    const order: string[] = []
    const first = Promise.withResolvers<string>()
    const leaving = new AbortController()
    const one = inTurn(createCall(), () => first.promise)
    const two = inTurn(createCall({ signal: leaving.signal }), async () => order.push('two'))
    const three = inTurn(createCall(), async () => order.push('three'))
    leaving.abort()
    expect((await failureOf(two)).failure).to.equal('aborted')
    first.reject(new UpstreamError('error', 'broken'))
    expect((await failureOf(one)).failure).to.equal('error')
    await three
    expect(order).to.deep.equal(['three'])
  })

  it("fails with 'overloaded' without starting a task that has no time left", async () => {
    const inTurn = createSerialQueue()
    const first = Promise.withResolvers<string>()
    const one = inTurn(createCall(), () => first.promise)
    let begun = false
    const late = inTurn({ ...createCall(), timeoutMs: () => 1_000 }, async () => {
      begun = true
    })
    expect(await failureOf(late)).to.include({ failure: 'overloaded', retryable: true })
    first.resolve('done')
    expect(await one).to.equal('done')
    expect(await inTurn({ ...createCall(), timeoutMs: () => 10 }, async () => 'alone')).to.equal('alone')
    expect(begun).to.equal(false)
  })
})
