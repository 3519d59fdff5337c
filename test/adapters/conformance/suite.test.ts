import { expect } from 'chai'
import { allDuties } from './all-requirements.ts'
import { benchOf, isExamined, unknown } from './test-bench.ts'
import { everything, offered, without } from './operations.ts'
import { spoiltFailures } from './mutants/failure-mutants.ts'
import { spoiltReads } from './mutants/read-mutants.ts'
import { spoiltWrites } from './mutants/write-mutants.ts'
import { conforming } from '../rest/conformance-subject.ts'
import type { Subject } from './subject.ts'

describe('the suite that every adapter must pass', () => {
  let subject: Subject

  before(async () => {
    subject = await conforming.connect()
  })

  after(() => subject?.close())

  for (const { mistake, duty, spoil } of [...spoiltReads, ...spoiltWrites, ...spoiltFailures]) {
    it(`does not pass an adapter that ${mistake}`, async () => {
      const found = allDuties.filter(({ of, what }) => of === duty[0] && what.includes(duty[1]))
      expect(found, duty.join(': ')).to.have.lengthOf(1)
      // Each operation that does not end is waited for: a short while, since it fails the duty either way.
      await using bench = await benchOf(subject, { ...conforming, patienceMs: 100 }, spoil)
      const outcome = await found[0]!.run(bench).then(
        () => 'passed',
        (error: Error) => error.name,
      )
      expect(outcome).to.be.oneOf(['AssertionError', 'UpstreamError'])
    })
  }

  it('has a duty for every operation', () => {
    const asked = new Set(allDuties.flatMap(({ needs }) => needs))
    expect(everything.filter((operation) => !asked.has(operation))).to.deep.equal([])
  })

  it('sees that an adapter lost a method', async () => {
    await using ports = subject.connect((address) => address)
    const { tags: _, ...inventory } = ports.inventory!
    expect(offered({ ...ports, inventory })).to.have.members(without('inventory.tags'))
  })

  it('sees that a merchant shows less than was said', () => {
    const unknownOf = (one: Subject) => unknown(one, allDuties, conforming.offers)
    const { search: _, ...facts } = subject.facts
    expect(unknownOf({ ...subject, facts })).to.have.members(['search', ...conforming.unexamined])
    const { stock: __, ...clerk } = subject.clerk!
    expect(unknownOf({ ...subject, clerk })).to.have.members(['clerk.stock', ...conforming.unexamined])
  })

  it('examines nothing of what an adapter does not offer, and all else', () => {
    const declared = { offers: without('accounting.invoices'), unexamined: [] }
    const left = allDuties.filter((duty) => !isExamined(duty, declared))
    expect(left.map(({ of }) => of)).to.include('accounting.invoices')
    for (const { needs } of left) expect(needs).to.include('accounting.invoices')
  })
})
