import { randomBytes } from 'node:crypto'
import { startFaultProxy } from '../../support/fault-proxy.ts'
import { type Operation, offeredOperations } from './operations.ts'
import type { CompletePorts, Requirement, TestBench } from './requirement.ts'
import type { AddressRewrite, Fact, Subject } from './subject.ts'

/** The declared support of an adapter and of the merchant behind it, which the suite verifies. */
export interface DeclaredSupport {
  /** The operations of the adapter. A missing one fails the suite. */
  offers: readonly Operation[]
  /** The facts that the merchant cannot provide. A fact that is neither here nor there fails the suite. */
  unexamined: readonly Fact[]
  /** Operations that read lists shared by all callers: when one caller aborts, the read continues for the next. */
  shares?: readonly Operation[]
}

const isOperation = (need: Operation | Fact): need is Operation => need.includes('.') && !need.startsWith('clerk.')

/** Returns the operations that a requirement needs and the adapter does not offer. */
export const missingOperations = ({ needs }: Requirement, { offers }: Pick<DeclaredSupport, 'offers'>): Operation[] =>
  needs.filter(isOperation).filter((need) => !offers.includes(need))

/** Returns the facts that a requirement needs and the merchant does not provide. */
export const unexaminedFacts = ({ needs }: Requirement, { unexamined }: Pick<DeclaredSupport, 'unexamined'>): Fact[] =>
  needs.filter((need): need is Fact => !isOperation(need)).filter((need) => unexamined.includes(need))

export const isExamined = (requirement: Requirement, declared: DeclaredSupport): boolean =>
  missingOperations(requirement, declared).length === 0 && unexaminedFacts(requirement, declared).length === 0

/** Returns the facts that the requirements of such an adapter need and this subject lacks. */
export function unknownFacts(
  { facts, clerk = {} }: Subject,
  duties: readonly Requirement[],
  offers: readonly Operation[],
): Fact[] {
  const needed = duties
    .filter((requirement) => missingOperations(requirement, { offers }).length === 0)
    .flatMap(({ needs }) => needs)
  const known = new Set<string>([
    ...Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : [name])),
    ...Object.keys(clerk).map((act) => `clerk.${act}`),
  ])
  return [...new Set(needed)].filter((need): need is Fact => !isOperation(need)).filter((need) => !known.has(need))
}

/** Returns the test bench of a subject. `mutate` may break the adapter. */
export async function createTestBench(
  subject: Subject,
  {
    shares = [],
    abortTimeoutMs = 30_000,
  }: Pick<DeclaredSupport, 'shares'> & Partial<Pick<TestBench, 'abortTimeoutMs'>> = {},
  mutate: (ports: CompletePorts) => CompletePorts = (ports) => ports,
): Promise<TestBench & AsyncDisposable> {
  const run = randomBytes(4).toString('hex')
  const faultProxy = await startFaultProxy()
  const connect = (way: AddressRewrite = (address) => address) => {
    const ports = subject.connect(way)
    return { ...mutate(ports as CompletePorts), [Symbol.asyncDispose]: () => ports[Symbol.asyncDispose]() }
  }
  const ports = connect()
  let last = 0
  return {
    ...ports,
    facts: subject.facts as TestBench['facts'],
    clerk: (subject.clerk ?? {}) as TestBench['clerk'],
    offers: offeredOperations(ports),
    shares,
    faultProxy,
    connect,
    abortTimeoutMs,
    reference() {
      last += 1
      return `ord_${run}x${last}`
    },
    async [Symbol.asyncDispose]() {
      await ports[Symbol.asyncDispose]()
      await faultProxy[Symbol.asyncDispose]()
    },
  }
}
