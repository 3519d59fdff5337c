import type { FaultProxy } from '../../support/fault-proxy.ts'
import type { Operation } from './operations.ts'
import type { AddressRewrite, Clerk, Connected, Fact, Facts } from './subject.ts'

type Parts = Omit<Connected, typeof Symbol.asyncDispose>
export type CompletePorts = { [P in keyof Parts]-?: Required<NonNullable<Parts[P]>> }

/** What a duty is examined with. It finds everything there that it says it needs, and must not touch anything else. */
export interface TestBench extends CompletePorts {
  facts: Required<Facts>
  clerk: Clerk
  offers: readonly Operation[]
  /** As declared. */
  shares: readonly Operation[]
  /** Stands between the adapter and its systems, where a duty wants that. */
  between: FaultProxy
  /** How long a caller who has left may wait to be told so. */
  patienceMs: number
  /** The adapter once more, with nothing in its memory. */
  connect(way?: AddressRewrite): CompletePorts & AsyncDisposable
  /** References are names for ever: one that nobody has had. */
  reference(): string
}

/** Something that every adapter must do. */
export interface Requirement {
  of: string
  what: string
  /** Without one of these it is not examined: operations that the adapter must offer, facts of the merchant behind. */
  needs: readonly (Operation | Fact)[]
  run(bench: TestBench): Promise<void>
}

type Row = [what: string, needs: readonly (Operation | Fact)[], run: Requirement['run']]

/** Duties of one operation, which they all need. */
export function requirementsOf(of: Operation, ...rows: Row[]): Requirement[] {
  return rows.map(([what, needs, run]) => ({ of, what, needs: [of, ...needs], run }))
}

/** Duties of several operations together. */
export function requirements(of: string, ...rows: Row[]): Requirement[] {
  return rows.map(([what, needs, run]) => ({ of, what, needs, run }))
}
