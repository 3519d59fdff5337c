import { expect } from 'chai'
import { createEtagCache } from '../../src/client/etag-cache.ts'
import { createForecourt, type Session } from '../../src/client/server.ts'
import { respond, startScriptedServer } from './scripted-server.ts'

describe('the ETag cache of the client', () => {
  it('drops what was used least recently, by count and by bytes', () => {
    const cache = createEtagCache({ entries: 2, bytes: 100 })
    const keep = (key: string, text = 'x') => cache.set(key, { etag: 'e', text })
    const kept = () => ['a', 'b', 'c', 'd'].filter((key) => cache.get(key))
    keep('a')
    keep('b')
    cache.get('a')
    keep('c')
    expect(kept()).to.deep.equal(['a', 'c'])
    keep('d', 'x'.repeat(47))
    expect(kept()).to.deep.equal(['d'])
    keep('a', 'x'.repeat(49))
    expect(kept()).to.deep.equal(['d'])
  })

  it('is never shared by two shoppers', async () => {
    await using server = await startScriptedServer(respond(200, { data: [] }, { etag: '"1"' }))
    const shop = createForecourt({ url: server.url, key: 'svc_test_sec_x' })
    for (const shopper_token of ['one', 'two', 'one']) await shop.forShopper({ shopper_token } as Session).getTags()
    const sent = server.seen.map(({ headers }) => headers['if-none-match'])
    expect(sent).to.deep.equal([undefined, undefined, '"1"'])
  })
})
