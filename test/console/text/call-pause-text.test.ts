import { expect } from 'chai'
import { describePauseCauses } from '../../../src/console/text/call-pause-text.ts'
import type { CircuitChange } from '../../../src/diagnostics/reports/incident-detail.ts'

const pause = (at: number, kind: string, process = 'one'): CircuitChange => ({
  ...{ circuit: 'accounting', at, process, state: 'open', by: null },
  causes: [{ kind, count: 5 }],
})
const end = (at: number, process = 'one'): CircuitChange => ({
  ...{ circuit: 'accounting', at, process, state: 'closed', by: null },
  causes: [],
})
const textOf = (causes: string) =>
  `The table counts responses of this section. Calls were paused after ${causes}: that counts calls, also those of other sections and in the background.`

describe('describePauseCauses', () => {
  const changes = [pause(52, 'no response in 700 ms'), end(54), pause(98, 'connection refused'), end(138)]

  it('names the pause that began before the section was degraded, and none that began later', () => {
    expect(describePauseCauses(changes, { beganAt: 53, lastAt: 53 })).to.equal(textOf('5 × no response in 700 ms'))
    expect(describePauseCauses(changes, { beganAt: 100, lastAt: 101 })).to.equal(textOf('5 × connection refused'))
  })

  it('tells failures before a time without any apart', () => {
    const opening = pause(52, 'no response in 650 ms')
    opening.causes.push({ kind: 'unreadable response', count: 4, isEarlier: true })
    expect(describePauseCauses([opening], { beganAt: 53, lastAt: 53 })).to.equal(
      textOf('5 × no response in 650 ms, and some seconds before that 4 × unreadable response'),
    )
  })

  it('names none if calls were not paused meanwhile', () => {
    expect(describePauseCauses(changes, { beganAt: 60, lastAt: 70 })).to.equal('')
  })

  it('names each cause once, of all processes', () => {
    const both = [...changes, pause(99, 'connection refused', 'two'), end(120, 'two')]
    expect(describePauseCauses(both, { beganAt: 50, lastAt: 110 })).to.equal(
      textOf('5 × no response in 700 ms, and after 5 × connection refused'),
    )
  })
})
