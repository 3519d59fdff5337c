import type { FaultProxy } from '../../support/fault-proxy.ts'
import type { Operation } from './operations.ts'
import type { AddressRewrite, Clerk, Connected, Fact, Facts } from './subject.ts'

type Parts = Omit<Connected, typeof Symbol.asyncDispose>
export type CompletePorts = { [P in keyof Parts]-?: Required<NonNullable<Parts[P]>> }

/** Everything that a requirement runs with. It may use only what it declares as needed. */
export interface TestBench extends CompletePorts {
  facts: Required<Facts>
  clerk: Clerk
  offers: readonly Operation[]
  /** The operations that were declared as shared. */
  shares: readonly Operation[]
  /** A proxy between the adapter and its systems, for requirements that need one. */
  faultProxy: FaultProxy
  /** The time in which a call must end after its caller aborted. */
  abortTimeoutMs: number
  /** Connects the adapter again, with an empty memory. */
  connect(way?: AddressRewrite): CompletePorts & AsyncDisposable
  /** Returns a reference that was never used: they are permanent. */
  reference(): string
}

/** A requirement of every adapter. */
export interface Requirement {
  of: string
  what: string
  /** Operations of the adapter and facts of the merchant; without one of them the requirement is not run. */
  needs: readonly (Operation | Fact)[]
  run(bench: TestBench): Promise<void>
}

type Row = [what: string, needs: readonly (Operation | Fact)[], run: Requirement['run']]

/** Returns requirements of one operation, which all of them need. */
export function requirementsOf(of: Operation, ...rows: Row[]): Requirement[] {
  return rows.map(([what, needs, run]) => ({ of, what, needs: [of, ...needs], run }))
}

/** Returns requirements of several operations. */
export function requirements(of: string, ...rows: Row[]): Requirement[] {
  return rows.map(([what, needs, run]) => ({ of, what, needs, run }))
}
