import { expect } from 'chai'
import { until } from '../support/until.ts'
import { type OutageSetup, startOutageSetup } from './outage/outage-setup.ts'

/** Responses of each kind of read. */
const ENOUGH = 8

/** The short form of `npm run soak:outage`. */
describe('a catalog whose inventory and pricing are killed under reads', () => {
  let setup: OutageSetup

  before(async () => {
    setup = await startOutageSetup({ perSecond: 60, boundSeconds: 8, feedSeconds: 1 })
  })
  after(() => setup?.[Symbol.asyncDispose]())
  afterEach(() => expect(setup.mistakes.slice(0, 5)).to.deep.equal([]))

  it('is served from the mirror, and marked with its age once that is beyond the bound', async () => {
    await until('all reads are whole', () => setup.isWhole(ENOUGH))
    await setup.kill()
    await until('all reads are marked', () => setup.isMarked(ENOUGH))
  })

  it('is marked as before when the process itself was killed meanwhile', async () => {
    await setup.restartServer()
    await until('all reads are marked', () => setup.isMarked(ENOUGH))
  })

  it('is whole again when they are back', async () => {
    await setup.restore()
    await until('all reads are whole', () => setup.isWhole(ENOUGH))
  })

  it('has answered all reads, some of them with 304', () => {
    expect([...setup.statuses.keys()].sort()).to.deep.equal([200, 304])
  })
})
