import type { Between } from '../../support/fault-proxy.ts'
import type { Clerk, Connected, Fact, Facts, Way } from './subject.ts'
import type { Operation } from './operations.ts'

type Parts = Omit<Connected, typeof Symbol.asyncDispose>
export type Whole = { [P in keyof Parts]-?: Required<NonNullable<Parts[P]>> }

/** What a duty is examined with. It finds everything there that it says it needs, and must not touch anything else. */
export interface Bench extends Whole {
  facts: Required<Facts>
  clerk: Clerk
  offers: readonly Operation[]
  /** As declared. */
  shares: readonly Operation[]
  /** Stands between the adapter and its systems, where a duty wants that. */
  between: Between
  /** How long a caller who has left may wait to be told so. */
  patienceMs: number
  /** The adapter once more, with nothing in its memory. */
  connect(way?: Way): Whole & AsyncDisposable
  /** References are names for ever: one that nobody has had. */
  reference(): string
}

/** Something that every adapter must do. */
export interface Duty {
  of: string
  what: string
  /** Without one of these it is not examined: operations that the adapter must offer, facts of the merchant behind. */
  needs: readonly (Operation | Fact)[]
  run(bench: Bench): Promise<void>
}

type Row = [what: string, needs: readonly (Operation | Fact)[], run: Duty['run']]

/** Duties of one operation, which they all need. */
export function dutiesOf(of: Operation, ...rows: Row[]): Duty[] {
  return rows.map(([what, needs, run]) => ({ of, what, needs: [of, ...needs], run }))
}

/** Duties of several operations together. */
export function duties(of: string, ...rows: Row[]): Duty[] {
  return rows.map(([what, needs, run]) => ({ of, what, needs, run }))
}
