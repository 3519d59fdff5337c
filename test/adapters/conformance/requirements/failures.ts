import { expect } from 'chai'
import type { ProxyRoute } from '../../../support/fault-proxy.ts'
import { describeMismatch, type Fault, faults } from '../faults.ts'
import type { Operation } from '../operations.ts'
import { createOrderFixture } from '../order-fixture.ts'
import { type CompletePorts, requirements, type TestBench } from '../requirement.ts'
import { type SampleCall, sampleCallsFor } from '../sample-calls.ts'
import { createCall } from '../subject.ts'

/** One of each kind: at the last exchange everything before it is asked for real. */
const telling = faults.filter(({ name }) => /in the middle|500|people/.test(name))
const outcomeOf = (asked: Promise<unknown>) => asked.catch((error: unknown) => error)

/** An adapter that has asked everything once, so that it has logged in and holds whatever it keeps. */
export async function withWarmAdapter(bench: TestBench, run: (warm: Warm) => Promise<void>): Promise<void> {
  const passage = bench.between.passage()
  await using ports = bench.connect(passage.way)
  const sells = bench.offers.includes('accounting.placeOrder') && bench.facts.customer !== undefined
  await using counter = sells ? createOrderFixture(bench) : undefined
  const draft = counter?.draft()
  const requestScope = sampleCallsFor({ ...bench, reference: () => draft?.reference ?? bench.reference() })
  const asked: Warm['asked'] = []
  for (const [operation, ask] of requestScope) {
    await ask(ports, createCall())
    passage.plan()
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
  // Half of an answer takes the system's own: that is examined below.
  ...faults
    .filter(({ trouble }) => trouble !== 'halve')
    .flatMap((ailment) => requirements(`a system that ${ailment.name}`, ...whenItAils(ailment))),
  ...requirements('a system that is not there', [
    'is unavailable, and worth another try',
    [],
    async (bench) => {
      await using ports = bench.connect(() => 'http://127.0.0.1:9')
      const ailment = { name: '', trouble: 'cut', failure: 'unavailable', retryable: true } as const
      const misfits: string[] = []
      for (const [operation, ask] of sampleCallsFor(bench)) {
        const wrong = describeMismatch(ailment, await outcomeOf(ask(ports, createCall())))
        if (wrong) misfits.push(`${operation}: ${wrong}`)
      }
      expect(misfits.join('\n')).to.equal('')
    },
  ]),
  ...requirements('a system that falls ill', [
    'fails each operation in its own way, at its first exchange and at its last, and recovers',
    [],
    (bench) =>
      withWarmAdapter(bench, async ({ passage, ports, asked }) => {
        const misfits: string[] = []
        for (const { operation, ask, exchanges } of asked) {
          const struck = async (ailment: Fault, from: number) => {
            passage.plan((n) => (n >= from ? ailment.trouble : undefined))
            const wrong = describeMismatch(ailment, await outcomeOf(ask(ports, createCall())))
            // What it keeps it may go on answering.
            if (wrong && passage.count >= from) misfits.push(`${operation}, ${ailment.name} at ${from}: ${wrong}`)
          }
          for (const ailment of faults.filter(({ failure }) => failure !== 'rejected')) await struck(ailment, 1)
          if (exchanges > 1) for (const ailment of telling) await struck(ailment, exchanges)
          passage.plan()
          await ask(ports, createCall())
        }
        expect(misfits.join('\n')).to.equal('')
      }),
  ]),
]

/** From the start on: an adapter that logs in first, or reads tables first, must not hide why it cannot. */
function whenItAils(ailment: Fault): Parameters<typeof requirements>[1][] {
  return [
    [
      `makes every operation reject with '${ailment.failure}'`,
      [],
      async (bench) => {
        await using ports = bench.connect(bench.between.passage(() => ailment.trouble).way)
        const misfits: string[] = []
        for (const [operation, ask] of sampleCallsFor(bench)) {
          const wrong = describeMismatch(ailment, await outcomeOf(ask(ports, createCall())))
          if (wrong) misfits.push(`${operation}: ${wrong}`)
        }
        expect(misfits.join('\n')).to.equal('')
      },
    ],
  ]
}
