import { expect } from 'chai'
import { createRecentKeys } from '../../src/cache/recent-keys.ts'

describe('recent keys', () => {
  it('are remembered for a while, and then forgotten', () => {
    const isRecent = createRecentKeys(16)
    expect([isRecent('A'), isRecent('A'), isRecent('B')]).to.deep.equal([false, true, false])
    expect(isRecent('A'), 'after one other').to.equal(true)
    for (let index = 0; index < 1_000; index++) isRecent(`filler ${index}`)
    expect(isRecent('A'), 'after many others').to.equal(false)
  })
})
