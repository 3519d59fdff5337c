import { expect } from 'chai'
import type { RequestScope } from '../../../src/upstream/request/request-scope.ts'
import { untilTrue } from '../../support/until.ts'
import { createLoaderSetup, settled } from './cached-loader-setup.ts'

describe('a cached loader whose callers leave', () => {
  it('answers a caller that leaves at once, and abandons the call', async () => {
    const { loader, createScope, asked, answers } = createLoaderSetup()
    answers(() => new Promise(() => {}))
    const requestScope = createScope()
    const loading = loader.load('', ['A', 'B'], requestScope)
    await settled()
    requestScope.leave()
    expect((await loading).map(({ error }) => error!.failure)).to.deep.equal(['aborted', 'aborted'])
    expect(asked[0]!.abandoned).to.equal(true)
  })

  it('lets one caller leave without failing another that waits for the same', async () => {
    const { loader, createScope, asked, answers } = createLoaderSetup()
    const slow = Promise.withResolvers<Map<string, string>>()
    answers(() => slow.promise)
    const [leaver, stayer] = [createScope(), createScope()]
    const left = loader.load('', ['A'], leaver)
    const stays = loader.load('', ['A'], stayer)
    await settled()
    leaver.leave()
    slow.resolve(new Map([['A', 'a']]))
    expect([(await left)[0]!.error!.failure, (await stays)[0]!.value, asked.length]).to.deep.equal(['aborted', 'a', 1])
  })

  it('waits no longer than the request has time, and then abandons the call', async () => {
    const { loader, createScope, asked, answers } = createLoaderSetup()
    answers(() => new Promise(() => {}))
    const [row] = await loader.load('', ['A'], createScope({}, 20))
    expect(row!.error!.failure).to.equal('timeout')
    await untilTrue(() => asked[0]!.abandoned)
  })

  it('makes no call for a request that has left or has no time', async () => {
    const { loader, createScope, asked } = createLoaderSetup()
    const gone = createScope()
    gone.leave()
    expect((await loader.load('', ['A'], gone))[0]!.error!.failure).to.equal('aborted')
    expect((await loader.load('', ['A'], createScope({}, 0)))[0]!.error!.failure).to.equal('timeout')
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(asked).to.have.length(0)
  })

  it('removes its listener from a request that got its answer', async () => {
    const { loader, createScope } = createLoaderSetup()
    const requestScope = createScope()
    let listeners = 0
    const counted: RequestScope = {
      ...requestScope,
      onLeave(listener) {
        listeners += 1
        requestScope.onLeave(listener)
      },
      offLeave(listener) {
        listeners -= 1
        requestScope.offLeave(listener)
      },
    }
    await loader.load('', ['A', 'B'], counted)
    expect(listeners).to.equal(0)
  })
})
