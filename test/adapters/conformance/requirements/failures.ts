import { expect } from 'chai'
import { createCall } from '../../../support/create-call.ts'
import type { ProxyRoute } from '../../../support/fault-proxy.ts'
import { describeMismatch, type Fault, faults } from '../fault-cases.ts'
import type { Operation } from '../operations.ts'
import { createOrderFixture } from '../order-fixture.ts'
import { requirements } from '../requirement.ts'
import { type SampleCall, sampleCallsFor } from '../sample-calls.ts'
import type { CompletePorts, TestBench } from '../test-bench.ts'

/** One fault of each kind, for the last exchange: everything before it reaches the system. */
const lastExchangeFaults = faults.filter(({ name }) => /in the middle|500|HTML/.test(name))
/** Faults after which the next call may succeed. After a 401, an adapter may rightly delay its next login. */
const passingFaults = faults.filter(({ failure }) => failure !== 'rejected' && failure !== 'unauthorized')
const outcomeOf = (asked: Promise<unknown>) => asked.catch((error: unknown) => error)

/** Runs with an adapter that has made every call once, so that it is logged in and its caches are filled. */
export async function withWarmAdapter(bench: TestBench, run: (warm: Warm) => Promise<void>): Promise<void> {
  const passage = bench.faultProxy.createRoute()
  await using ports = bench.connect(passage.addressFor)
  const sells = bench.offers.includes('accounting.placeOrder') && bench.facts.customer !== undefined
  await using shop = sells ? createOrderFixture(bench) : undefined
  const draft = shop?.draft()
  const sampleCalls = sampleCallsFor({ ...bench, reference: () => draft?.reference ?? bench.reference() })
  const asked: Warm['asked'] = []
  for (const [operation, ask] of sampleCalls) {
    await ask(ports, createCall())
    passage.setPlan()
    await ask(ports, createCall())
    asked.push({ operation, ask, exchanges: passage.count })
  }
  await run({ passage, ports, asked })
}

interface Warm {
  passage: ProxyRoute
  ports: CompletePorts
  asked: { operation: Operation; ask: SampleCall; exchanges: number }[]
}

export const failureRequirements = [
  // Half a response needs a real one: that is tested below.
  ...faults
    .filter(({ trouble }) => trouble !== 'halve')
    .flatMap((fault) => requirements(`a system that ${fault.name}`, ...faultRequirements(fault))),
  ...requirements('a system that is down', [
    'is unavailable, and retryable',
    [],
    async (bench) => {
      await using ports = bench.connect(() => 'http://127.0.0.1:9')
      const fault = { name: '', trouble: 'cut', failure: 'unavailable', retryable: true } as const
      const mismatches: string[] = []
      for (const [operation, ask] of sampleCallsFor(bench)) {
        const mismatch = describeMismatch(fault, await outcomeOf(ask(ports, createCall())))
        if (mismatch) mismatches.push(`${operation}: ${mismatch}`)
      }
      expect(mismatches.join('\n')).to.equal('')
    },
  ]),
  ...requirements('a system that starts to fail', [
    'fails each operation at its first and last exchange, and recovers',
    [],
    (bench) =>
      withWarmAdapter(bench, async ({ passage, ports, asked }) => {
        const mismatches: string[] = []
        for (const { operation, ask, exchanges } of asked) {
          const interrupted = async (fault: Fault, from: number) => {
            passage.setPlan((n) => (n >= from ? fault.trouble : undefined))
            const mismatch = describeMismatch(fault, await outcomeOf(ask(ports, createCall())))
            // A cached result may still be returned.
            if (mismatch && passage.count >= from)
              mismatches.push(`${operation}, ${fault.name} at ${from}: ${mismatch}`)
          }
          for (const fault of passingFaults) await interrupted(fault, 1)
          if (exchanges > 1) for (const fault of lastExchangeFaults) await interrupted(fault, exchanges)
          passage.setPlan()
          const later = await outcomeOf(ask(ports, createCall()))
          if (later instanceof Error) mismatches.push(`${operation} does not recover: ${later.message}`)
        }
        expect(mismatches.join('\n')).to.equal('')
      }),
  ]),
]

/** The fault is there from the start: an adapter that first logs in or reads tables must report the cause. */
function faultRequirements(fault: Fault): Parameters<typeof requirements>[1][] {
  return [
    [
      `makes every operation reject with '${fault.failure}'`,
      [],
      async (bench) => {
        await using ports = bench.connect(bench.faultProxy.createRoute(() => fault.trouble).addressFor)
        const mismatches: string[] = []
        for (const [operation, ask] of sampleCallsFor(bench)) {
          const mismatch = describeMismatch(fault, await outcomeOf(ask(ports, createCall())))
          if (mismatch) mismatches.push(`${operation}: ${mismatch}`)
        }
        expect(mismatches.join('\n')).to.equal('')
      },
    ],
  ]
}
