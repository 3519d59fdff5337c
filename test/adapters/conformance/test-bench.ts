import { randomBytes } from 'node:crypto'
import { startFaultProxy } from '../../support/fault-proxy.ts'
import { type Operation, offeredOperations } from './operations.ts'
import type { CompletePorts, Requirement, TestBench } from './requirement.ts'
import type { AddressRewrite, Fact, Subject } from './subject.ts'

/** What is known beforehand of an adapter and of the merchant behind it; held against what is there. */
export interface DeclaredSupport {
  /** The operations that the adapter has. One that it loses fails the suite. */
  offers: readonly Operation[]
  /** What the merchant behind cannot show. A fact that is neither here nor there fails the suite. */
  unexamined: readonly Fact[]
  /** Operations that read lists for all who ask: when one caller leaves, the reading goes on for the next. */
  shares?: readonly Operation[]
}

const isOperation = (need: Operation | Fact): need is Operation => need.includes('.') && !need.startsWith('clerk.')

/** What a duty needs and the adapter does not offer. */
export const missingOperations = ({ needs }: Requirement, { offers }: Pick<DeclaredSupport, 'offers'>): Operation[] =>
  needs.filter(isOperation).filter((need) => !offers.includes(need))

/** What a duty needs and the merchant does not show. */
export const unexaminedFacts = ({ needs }: Requirement, { unexamined }: Pick<DeclaredSupport, 'unexamined'>): Fact[] =>
  needs.filter((need): need is Fact => !isOperation(need)).filter((need) => unexamined.includes(need))

export const isExamined = (duty: Requirement, declared: DeclaredSupport): boolean =>
  missingOperations(duty, declared).length === 0 && unexaminedFacts(duty, declared).length === 0

/** What the duties of such an adapter need to know of its merchant, and this subject does not. */
export function unknownFacts(
  { facts, clerk = {} }: Subject,
  duties: readonly Requirement[],
  offers: readonly Operation[],
): Fact[] {
  const needed = duties.filter((duty) => missingOperations(duty, { offers }).length === 0).flatMap(({ needs }) => needs)
  const known = new Set<string>([
    ...Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : [name])),
    ...Object.keys(clerk).map((act) => `clerk.${act}`),
  ])
  return [...new Set(needed)].filter((need): need is Fact => !isOperation(need)).filter((need) => !known.has(need))
}

/** The subject with all that duties are examined with. `spoilt` may break what the adapter does. */
export async function createTestBench(
  subject: Subject,
  { shares = [], patienceMs = 30_000 }: Pick<DeclaredSupport, 'shares'> & Partial<Pick<TestBench, 'patienceMs'>> = {},
  spoilt: (ports: CompletePorts) => CompletePorts = (ports) => ports,
): Promise<TestBench & AsyncDisposable> {
  const run = randomBytes(4).toString('hex')
  const between = await startFaultProxy()
  const connect = (way: AddressRewrite = (address) => address) => {
    const ports = subject.connect(way)
    return { ...spoilt(ports as CompletePorts), [Symbol.asyncDispose]: () => ports[Symbol.asyncDispose]() }
  }
  const ports = connect()
  let last = 0
  return {
    ...ports,
    facts: subject.facts as TestBench['facts'],
    clerk: (subject.clerk ?? {}) as TestBench['clerk'],
    offers: offeredOperations(ports),
    ...{ shares, between, connect, patienceMs },
    reference() {
      last += 1
      return `ord_${run}x${last}`
    },
    async [Symbol.asyncDispose]() {
      await ports[Symbol.asyncDispose]()
      await between[Symbol.asyncDispose]()
    },
  }
}
