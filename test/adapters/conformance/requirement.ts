import type { Operation } from './operations.ts'
import type { Fact } from './subject.ts'
import type { TestBench } from './test-bench.ts'

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
