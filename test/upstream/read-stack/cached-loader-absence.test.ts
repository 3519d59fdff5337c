import { expect } from 'chai'
import { createLoaderSetup } from './cached-loader-setup.ts'

const missing = async () => new Map<string, string>()

describe('a cached loader whose system does not know a value any longer', () => {
  function createKnown() {
    const setup = createLoaderSetup()
    const read = async () => {
      const [row] = await setup.loader.load('', ['A'], setup.createScope())
      return [row!.value, row!.error?.failure ?? null]
    }
    return { ...setup, read, has: (value: string) => setup.answers(async () => new Map([['A', value]])) }
  }

  it('keeps a known value after one answer, and says that it is doubtful', async () => {
    const { read, has, answers, pass, asked } = createKnown()
    has('v1')
    expect(await read()).to.deep.equal(['v1', null])
    answers(missing)
    pass(4_000)
    expect(await read()).to.deep.equal(['v1', 'invalid'])
    has('v2')
    expect(await read(), 'it is read again at once').to.deep.equal(['v2', null])
    expect(asked).to.have.length(3)
  })

  it('believes it when the system says so again, some seconds later', async () => {
    const { read, has, answers, pass } = createKnown()
    has('v1')
    await read()
    answers(missing)
    pass(4_000)
    await read()
    pass(4_999)
    expect(await read()).to.deep.equal(['v1', 'invalid'])
    pass(1)
    expect(await read()).to.deep.equal([null, null])
  })

  it('counts the seconds from the first of the answers in a row', async () => {
    const { read, has, answers, pass } = createKnown()
    has('v1')
    await read()
    answers(missing)
    pass(4_000)
    await read()
    has('v2')
    await read()
    answers(missing)
    pass(6_000)
    expect(await read()).to.deep.equal(['v2', 'invalid'])
  })

  it('believes it at once when the value has changed upstream, was purged or is too old', async () => {
    for (const change of ['invalidate', 'purge', 'age'] as const) {
      const { read, has, answers, pass, invalidations, loader } = createKnown()
      has('v1')
      await read()
      answers(missing)
      if (change === 'age') pass(10_001)
      else invalidations[change](['A'])
      loader.detachInFlight()
      expect(await read(), change).to.deep.equal([null, null])
    }
  })

  it('remembers an absence for five seconds only, whether the system is well or fails', async () => {
    const { read, has, answers, pass, fails, asked } = createKnown()
    answers(missing)
    expect(await read()).to.deep.equal([null, null])
    has('v1')
    pass(4_999)
    expect(await read()).to.deep.equal([null, null])
    expect(asked).to.have.length(1)
    fails('unavailable')
    pass(2)
    expect(await read()).to.deep.equal([null, 'unavailable'])
    has('v1')
    expect(await read()).to.deep.equal(['v1', null])
  })
})
