import { expect } from 'chai'
import { restConformance } from '../rest/conformance-subject.ts'
import { allRequirements } from './all-requirements.ts'
import { isExamined, unknownFacts } from './declared-support.ts'
import { allMutants } from './mutants/all-mutants.ts'
import { both, changePort, type Mutate } from './mutants/change-port.ts'
import type { Mutant } from './mutants/mutant.ts'
import { withLowCredit } from './mutants/with-low-credit.ts'
import { allOperations, offeredOperations, operationsWithout } from './operations.ts'
import type { Requirement } from './requirement.ts'
import type { Subject } from './subject.ts'
import { createTestBench } from './test-bench.ts'

describe('the suite that every adapter must pass', () => {
  let subject: Subject

  before(async () => {
    subject = await restConformance.connect()
  })

  after(() => subject?.close())

  const outcomeOf = async (mutant: Mutant, mutate: Mutate | undefined) => {
    const { facts, operations } = { ...mutant, ...mutant.setting }
    const requirement = findRequirement(mutant)
    // A call that does not end fails the requirement anyway, so a short wait is enough.
    const options = { ...restConformance, abortTimeoutMs: 100 }
    await using bench = await createTestBench({ ...subject, facts: { ...subject.facts, ...facts } }, options, mutate)
    return await requirement.run({ ...bench, offers: operations ?? bench.offers }).then(
      () => 'passed',
      (error: Error) => error.name,
    )
  }

  for (const mutant of allMutants) {
    it(`does not pass an adapter that ${mutant.mistake}`, async () => {
      if (mutant.setting) expect(await outcomeOf(mutant, mutant.setting.complete)).to.equal('passed')
      expect(await outcomeOf(mutant, mutant.mutate)).to.equal('AssertionError')
    })
  }

  it('detects a mistake against each requirement', () => {
    const tested = new Set(allMutants.map(findRequirement))
    expect(allRequirements.filter((requirement) => !tested.has(requirement))).to.deep.equal([])
  })

  it('accepts orders above the credit limit of an adapter that leaves the limit to Forecourt', async () => {
    const creditReservation = { exposureDelaySeconds: 0 }
    const mutate = both(changePort('accounting', { creditReservation }), withLowCredit)
    await using bench = await createTestBench(subject, restConformance, mutate)
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

/** Returns the only requirement that a mutant does not meet. */
function findRequirement({ requirement: [of, words] }: Mutant): Requirement {
  const found = allRequirements.filter((requirement) => requirement.of === of && requirement.what.includes(words))
  expect(found, `${of}: ${words}`).to.have.lengthOf(1)
  return found[0]!
}
