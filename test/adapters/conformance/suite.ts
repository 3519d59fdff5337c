import { expect } from 'chai'
import { environment } from '../../../src/config/environment/process-environment.ts'
import { allRequirements } from './all-requirements.ts'
import {
  type DeclaredSupport,
  isExamined,
  missingOperations,
  unexaminedFacts,
  unknownFacts,
} from './declared-support.ts'
import { allOperations } from './operations.ts'
import type { Subject } from './subject.ts'
import type { TestBench } from './test-bench.ts'
import { createTestBench } from './test-bench.ts'

export interface ConformanceOptions extends DeclaredSupport {
  /** The timeout of one requirement, for a system that takes seconds per order; by default the one of mocha. */
  timeoutMs?: number
  connect(): Promise<Subject>
}

/** Runs all requirements of an adapter over the back office that `connect` reaches. See docs/adapters.md. */
export function describeConformance(name: string, { connect, timeoutMs, ...declared }: ConformanceOptions): void {
  describe(`${name}: as an adapter`, function () {
    if (timeoutMs) this.timeout(timeoutMs)
    let subject: Subject
    let bench: TestBench & AsyncDisposable
    const examined = allRequirements.filter((requirement) => isExamined(requirement, declared))

    before(async () => {
      subject = await connect()
      bench = await createTestBench(subject, declared)
    })

    after(async () => {
      await bench?.[Symbol.asyncDispose]()
      await subject?.close()
      // The worker of a parallel run would print it among the dots of other files.
      if (environment.MOCHA_WORKER_ID === undefined) process.stdout.write(formatUnexamined(name, declared))
    })

    it('offers the declared operations', () => {
      expect(bench.offers).to.have.members([...declared.offers])
    })

    it('has a merchant with the declared facts', () => {
      expect(unknownFacts(subject, allRequirements, declared.offers)).to.have.members([...declared.unexamined])
    })

    for (const [of, duties] of Map.groupBy(examined, (requirement) => requirement.of)) {
      describe(of, () => {
        for (const { what, run } of duties) it(what, () => run(bench))
      })
    }
  })
}

/** Lists the requirements that did not run, with the facts that they lack: none is skipped silently. */
function formatUnexamined(name: string, declared: DeclaredSupport): string {
  const possible = allRequirements.filter((requirement) => missingOperations(requirement, declared).length === 0)
  const rows = possible.flatMap((requirement) => {
    const lacks = unexaminedFacts(requirement, declared)
    return lacks.length === 0 ? [] : [`  ${requirement.of}: ${requirement.what} (no ${lacks.join(', ')})\n`]
  })
  const missing = allOperations.filter((operation) => !declared.offers.includes(operation))
  const offers = missing.length === 0 ? 'offers every operation' : `does not offer ${missing.join(', ')}`
  const count = `${possible.length - rows.length} of its ${possible.length} requirements examined (of ${allRequirements.length} in all)`
  return `\n${name} ${offers}; ${count}${rows.length === 0 ? '' : `, not:\n${rows.join('')}`}\n`
}
