import { expect } from 'chai'
import { runExclusive } from '../../src/lifecycle/keyed-mutex.ts'

describe('a keyed mutex', () => {
  it('runs the work of one key in the order of the calls, whether or not it fails', async () => {
    const gate = Promise.withResolvers<void>()
    const order: string[] = []
    const first = runExclusive('cart', async () => {
      await gate.promise
      order.push('first')
      throw new Error('failed')
    }).catch((error: Error) => error.message)
    const second = runExclusive('cart', async () => void order.push('second'))
    await runExclusive('another', async () => void order.push('another key'))
    gate.resolve()
    expect(await first).to.equal('failed')
    await second
    expect(order).to.deep.equal(['another key', 'first', 'second'])
  })
})
