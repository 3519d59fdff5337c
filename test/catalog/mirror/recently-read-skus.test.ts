import { expect } from 'chai'
import { createRecentlyReadSkus } from '../../../src/catalog/mirror/read/recently-read-skus.ts'

describe('recently read SKUs', () => {
  it('are remembered for a while, and then forgotten', () => {
    const wasReadBefore = createRecentlyReadSkus(10)
    expect([wasReadBefore('A'), wasReadBefore('A')]).to.deep.equal([false, true])
    for (let index = 0; index < 10; index++) wasReadBefore(`filler ${index}`)
    expect(wasReadBefore('A'), 'after ten others').to.equal(true)
    for (let index = 10; index < 40; index++) wasReadBefore(`filler ${index}`)
    expect(wasReadBefore('A'), 'after forty others').to.equal(false)
  })
})
