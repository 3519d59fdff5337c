import { randomBytes } from 'node:crypto'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import { type FaultProxy, startFaultProxy } from '../../support/fault-proxy.ts'
import type { DeclaredSupport } from './declared-support.ts'
import { type Operation, offeredOperations } from './operations.ts'
import type { AddressRewrite, Clerk, Connected, Facts, Subject } from './subject.ts'

type Parts = Omit<Connected, typeof Symbol.asyncDispose>
type Complete = { [P in keyof Parts]-?: Required<NonNullable<Parts[P]>> }
/** All ports with all methods. Only a system that does not check the credit limit has `creditReservation`. */
export type CompletePorts = Omit<Complete, 'accounting'> & {
  accounting: Omit<Complete['accounting'], 'creditReservation'> & Pick<AccountingPort, 'creditReservation'>
}

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
