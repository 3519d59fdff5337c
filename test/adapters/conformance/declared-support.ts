import type { Operation } from './operations.ts'
import type { Requirement } from './requirement.ts'
import type { Fact, Subject } from './subject.ts'

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
