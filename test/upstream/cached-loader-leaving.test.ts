import { expect } from 'chai'
import type { RequestScope } from '../../src/upstream/request-scope.ts'
import { untilTrue } from '../support/scripted-upstream.ts'
import { settled, world } from './cached-loader-setup.ts'

describe('a loader whose askers leave', () => {
  it('answers the one who leaves at once, and gives the question up', async () => {
    const { loader, askingOf, asked, answers } = world()
    answers(() => new Promise(() => {}))
    const requestScope = askingOf()
    const loading = loader.load('', ['A', 'B'], requestScope)
    await settled()
    requestScope.leave()
    expect((await loading).map(({ error }) => error!.failure)).to.deep.equal(['aborted', 'aborted'])
    expect(asked[0]!.abandoned).to.equal(true)
  })

  it('lets one leave without failing the other who wants the same', async () => {
    const { loader, askingOf, asked, answers } = world()
    const slow = Promise.withResolvers<Map<string, string>>()
    answers(() => slow.promise)
    const [leaver, stayer] = [askingOf(), askingOf()]
    const left = loader.load('', ['A'], leaver)
    const stays = loader.load('', ['A'], stayer)
    await settled()
    leaver.leave()
    slow.resolve(new Map([['A', 'a']]))
    expect([(await left)[0]!.error!.failure, (await stays)[0]!.value, asked.length]).to.deep.equal(['aborted', 'a', 1])
  })

  it('waits no longer than the request has time, and gives the question up then', async () => {
    const { loader, askingOf, asked, answers } = world()
    answers(() => new Promise(() => {}))
    const [row] = await loader.load('', ['A'], askingOf({}, 20))
    expect(row!.error!.failure).to.equal('timeout')
    await untilTrue(() => asked[0]!.abandoned)
  })

  it('asks nothing for a request that has left or has no time', async () => {
    const { loader, askingOf, asked } = world()
    const gone = askingOf()
    gone.leave()
    expect((await loader.load('', ['A'], gone))[0]!.error!.failure).to.equal('aborted')
    expect((await loader.load('', ['A'], askingOf({}, 0)))[0]!.error!.failure).to.equal('timeout')
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(asked).to.have.length(0)
  })

  it('lets go of an asker who got an answer', async () => {
    const { loader, askingOf } = world()
    const requestScope = askingOf()
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
