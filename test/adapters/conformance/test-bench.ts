import { randomBytes } from 'node:crypto'
import { startFaultProxy } from '../../support/fault-proxy.ts'
import type { DeclaredSupport } from './declared-support.ts'
import { offeredOperations } from './operations.ts'
import type { CompletePorts, TestBench } from './requirement.ts'
import type { AddressRewrite, Subject } from './subject.ts'

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
