import { expect } from 'chai'
import { restConformance } from '../rest/conformance-subject.ts'
import { allRequirements } from './all-requirements.ts'
import { isExamined, unknownFacts } from './declared-support.ts'
import { failureMutants } from './mutants/failure-mutants.ts'
import { mutateAccounting } from './mutants/mutant.ts'
import { readMutants } from './mutants/read-mutants.ts'
import { withLowCredit, writeMutants } from './mutants/write-mutants.ts'
import { allOperations, offeredOperations, operationsWithout } from './operations.ts'
import type { Subject } from './subject.ts'
import { createTestBench } from './test-bench.ts'

describe('the suite that every adapter must pass', () => {
  let subject: Subject

  before(async () => {
    subject = await restConformance.connect()
  })

  after(() => subject?.close())

  for (const { mistake, requirement, mutate } of [...readMutants, ...writeMutants, ...failureMutants]) {
    it(`does not pass an adapter that ${mistake}`, async () => {
      const found = allRequirements.filter(({ of, what }) => of === requirement[0] && what.includes(requirement[1]))
      expect(found, requirement.join(': ')).to.have.lengthOf(1)
      // A call that does not end fails the requirement anyway, so a short wait is enough.
      await using bench = await createTestBench(subject, { ...restConformance, abortTimeoutMs: 100 }, mutate)
      const outcome = await found[0]!.run(bench).then(
        () => 'passed',
        (error: Error) => error.name,
      )
      expect(outcome).to.be.oneOf(['AssertionError', 'UpstreamError'])
    })
  }

  it('accepts orders above the credit limit of an adapter that leaves the limit to Forecourt', async () => {
    const creditReservation = { exposureDelaySeconds: 0 }
    await using bench = await createTestBench(subject, restConformance, (ports) =>
      withLowCredit(mutateAccounting(() => ({ creditReservation }))(ports)),
    )
    const placing = allRequirements.filter(({ of }) => of === 'accounting.placeOrder')
    const ofCredit = placing.filter(({ what }) => /credit by|never lets/.test(what))
    expect(ofCredit).to.have.lengthOf(2)
    for (const { run } of ofCredit) await run(bench)
  })

  it('has a requirement for every operation', () => {
    const asked = new Set(allRequirements.flatMap(({ needs }) => needs))
    expect(allOperations.filter((operation) => !asked.has(operation))).to.deep.equal([])
  })

  it('detects a missing method', async () => {
    await using ports = subject.connect((address) => address)
    const { tags: _, ...inventory } = ports.inventory!
    expect(offeredOperations({ ...ports, inventory })).to.have.members(
      operationsWithout('inventory.tags', 'pricing.promotions'),
    )
  })

  it('detects a merchant with fewer facts than declared', () => {
    const unknownOf = (one: Subject) => unknownFacts(one, allRequirements, restConformance.offers)
    const { search: _, ...facts } = subject.facts
    expect(unknownOf({ ...subject, facts })).to.have.members(['search', ...restConformance.unexamined])
    const { stock: __, ...clerk } = subject.clerk!
    expect(unknownOf({ ...subject, clerk })).to.have.members(['clerk.stock', ...restConformance.unexamined])
  })

  it('runs all requirements except those of operations that the adapter does not offer', () => {
    const declared = { offers: operationsWithout('accounting.invoices'), unexamined: [] }
    const left = allRequirements.filter((requirement) => !isExamined(requirement, declared))
    expect(left.map(({ of }) => of)).to.include('accounting.invoices')
    for (const { needs } of left) expect(needs).to.include('accounting.invoices')
  })
})
