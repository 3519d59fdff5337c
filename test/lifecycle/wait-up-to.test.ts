import { mock } from 'node:test'
import { expect } from 'chai'
import { waitUpTo } from '../../src/lifecycle/wait-up-to.ts'

describe('waiting up to a time limit', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  it('returns what the work returns, and throws what it throws', async () => {
    expect(await waitUpTo(1_000, Promise.resolve('result'))).to.equal('result')
    const failure = waitUpTo(1_000, Promise.reject(new Error('failed')))
    expect(await failure.catch((error: Error) => error.message)).to.equal('failed')
  })

  it('returns null when the time is over, and ignores a later failure', async () => {
    const work = Promise.withResolvers<string>()
    const result = waitUpTo(1_000, work.promise)
    mock.timers.tick(1_000)
    expect(await result).to.equal(null)
    work.reject(new Error('late'))
  })
})
