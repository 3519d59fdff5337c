import { expect } from 'chai'
import { allRequirements } from './all-requirements.ts'
import { allOperations } from './operations.ts'
import type { TestBench } from './requirement.ts'
import type { Subject } from './subject.ts'
import {
  createTestBench,
  type DeclaredSupport,
  isExamined,
  missingOperations,
  unexaminedFacts,
  unknownFacts,
} from './test-bench.ts'

export interface ConformanceOptions extends DeclaredSupport {
  /** For one duty, of a system that takes seconds for an order; left out: what mocha was told. */
  timeoutMs?: number
  connect(): Promise<Subject>
}

/** Everything that an adapter must do, over whatever back office `connect` reaches. docs/adapters.md says how to use it. */
export function describeConformance(name: string, { connect, timeoutMs, ...declared }: ConformanceOptions): void {
  describe(`${name}: as an adapter`, function () {
    if (timeoutMs) this.timeout(timeoutMs)
    let subject: Subject
    let bench: TestBench & AsyncDisposable
    const examined = allRequirements.filter((duty) => isExamined(duty, declared))

    before(async () => {
      subject = await connect()
      bench = await createTestBench(subject, declared)
    })

    after(async () => {
      await bench?.[Symbol.asyncDispose]()
      await subject?.close()
      process.stdout.write(passedOver(name, declared))
    })

    it('offers what it is said to offer', () => {
      expect(bench.offers).to.have.members([...declared.offers])
    })

    it('has a merchant behind it who shows what is said', () => {
      expect(unknownFacts(subject, allRequirements, declared.offers)).to.have.members([...declared.unexamined])
    })

    for (const [of, duties] of Map.groupBy(examined, (duty) => duty.of)) {
      describe(of, () => {
        for (const { what, run } of duties) it(what, () => run(bench))
      })
    }
  })
}

/** What is not examined, and for want of what: nothing is passed over in silence. */
function passedOver(name: string, declared: DeclaredSupport): string {
  const possible = allRequirements.filter((duty) => missingOperations(duty, declared).length === 0)
  const rows = possible.flatMap((duty) => {
    const lacks = unexaminedFacts(duty, declared)
    return lacks.length === 0 ? [] : [`  ${duty.of}: ${duty.what} (no ${lacks.join(', ')})\n`]
  })
  const missing = allOperations.filter((operation) => !declared.offers.includes(operation))
  const offers = missing.length === 0 ? 'offers every operation' : `does not offer ${missing.join(', ')}`
  const count = `${possible.length - rows.length} of its ${possible.length} duties examined (of ${allRequirements.length} in all)`
  return `\n${name} ${offers}; ${count}${rows.length === 0 ? '' : `, not:\n${rows.join('')}`}\n`
}
