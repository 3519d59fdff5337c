import type { Operation } from '../operations.ts'
import type { Facts } from '../subject.ts'
import type { Mutate } from './change-port.ts'

/** An adapter with one mistake, and the requirement that it does not meet. */
export interface Mutant {
  mistake: string
  /** The group of the requirement, and words of its title. */
  requirement: [of: string, what: string]
  mutate: Mutate
  /** What the adapter `rest` or its merchant lacks for the requirement. With it, the adapter without the mistake is tested too. */
  setting?: { facts?: Partial<Facts>; complete?: Mutate }
  /** The operations that are examined, for a requirement of all operations. */
  operations?: readonly Operation[]
}

type Row = [mistake: string, what: string, mutate: Mutate, more?: Pick<Mutant, 'setting' | 'operations'>]

/** Returns mutants that requirements of one group must find. */
export function mutantsOf(of: string, ...rows: Row[]): Mutant[] {
  return rows.map(([mistake, what, mutate, more]) => ({ mistake, requirement: [of, what], mutate, ...more }))
}
