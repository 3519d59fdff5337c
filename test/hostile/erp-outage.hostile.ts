import { expect } from 'chai'
import { until } from '../support/until.ts'
import { type OutageRig, startOutageRig } from './outage/outage-setup.ts'

/** Responses of each kind of read. */
const ENOUGH = 8

/** The short form of `npm run soak:outage`. */
describe('a catalog whose inventory and pricing are killed under reads', () => {
  let rig: OutageRig

  before(async () => {
    rig = await startOutageRig({ perSecond: 60, boundSeconds: 8, feedSeconds: 1 })
  })
  after(() => rig?.[Symbol.asyncDispose]())
  afterEach(() => expect(rig.faults.slice(0, 5)).to.deep.equal([]))

  it('is served from the mirror, and marked with its age once that is beyond the bound', async () => {
    await until('all reads are whole', () => rig.isWhole(ENOUGH))
    await rig.kill()
    await until('all reads are marked', () => rig.isMarked(ENOUGH))
  })

  it('is marked as before when the process itself was killed meanwhile', async () => {
    await rig.restartServer()
    await until('all reads are marked', () => rig.isMarked(ENOUGH))
  })

  it('is whole again when they are back', async () => {
    await rig.restore()
    await until('all reads are whole', () => rig.isWhole(ENOUGH))
  })

  it('has answered all reads, some of them with 304', () => {
    expect([...rig.statuses.keys()].sort()).to.deep.equal([200, 304])
  })
})
