import { expect } from 'chai'
import { allDuties } from './all-requirements.ts'
import { benchOf, type Declared, isExamined, notOffered, notShown, unknown } from './test-bench.ts'
import type { Bench } from './requirement.ts'
import { everything } from './operations.ts'
import type { Subject } from './subject.ts'

export interface Conforming extends Declared {
  /** For one duty, of a system that takes seconds for an order; left out: what mocha was told. */
  timeoutMs?: number
  connect(): Promise<Subject>
}

/** Everything that an adapter must do, over whatever back office `connect` reaches. docs/adapters.md says how to use it. */
export function conformance(name: string, { connect, timeoutMs, ...declared }: Conforming): void {
  describe(`${name}: as an adapter`, function () {
    if (timeoutMs) this.timeout(timeoutMs)
    let subject: Subject
    let bench: Bench & AsyncDisposable
    const examined = allDuties.filter((duty) => isExamined(duty, declared))

    before(async () => {
      subject = await connect()
      bench = await benchOf(subject, declared)
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
      expect(unknown(subject, allDuties, declared.offers)).to.have.members([...declared.unexamined])
    })

    for (const [of, duties] of Map.groupBy(examined, (duty) => duty.of)) {
      describe(of, () => {
        for (const { what, run } of duties) it(what, () => run(bench))
      })
    }
  })
}

/** What is not examined, and for want of what: nothing is passed over in silence. */
function passedOver(name: string, declared: Declared): string {
  const possible = allDuties.filter((duty) => notOffered(duty, declared).length === 0)
  const rows = possible.flatMap((duty) => {
    const lacks = notShown(duty, declared)
    return lacks.length === 0 ? [] : [`  ${duty.of}: ${duty.what} (no ${lacks.join(', ')})\n`]
  })
  const missing = everything.filter((operation) => !declared.offers.includes(operation))
  const offers = missing.length === 0 ? 'offers every operation' : `does not offer ${missing.join(', ')}`
  const count = `${possible.length - rows.length} of its ${possible.length} duties examined (of ${allDuties.length} in all)`
  return `\n${name} ${offers}; ${count}${rows.length === 0 ? '' : `, not:\n${rows.join('')}`}\n`
}
