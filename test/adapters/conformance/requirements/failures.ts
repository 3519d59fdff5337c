import { expect } from 'chai'
import type { Passage } from '../../../support/fault-proxy.ts'
import { call } from '../subject.ts'
import { type Ailment, ailments, misfit } from '../faults.ts'
import { type Bench, duties, type Whole } from '../requirement.ts'
import type { Operation } from '../operations.ts'
import { type Question, questionsFor } from '../sample-calls.ts'
import { shop } from '../order-fixture.ts'

/** One of each kind: at the last exchange everything before it is asked for real. */
const telling = ailments.filter(({ name }) => /in the middle|500|people/.test(name))
const outcomeOf = (asked: Promise<unknown>) => asked.catch((error: unknown) => error)

/** An adapter that has asked everything once, so that it has logged in and holds whatever it keeps. */
export async function warmed(bench: Bench, run: (warm: Warm) => Promise<void>): Promise<void> {
  const passage = bench.between.passage()
  await using ports = bench.connect(passage.way)
  const sells = bench.offers.includes('accounting.placeOrder') && bench.facts.customer !== undefined
  await using counter = sells ? shop(bench) : undefined
  const draft = counter?.draft()
  const asking = questionsFor({ ...bench, reference: () => draft?.reference ?? bench.reference() })
  const asked: Warm['asked'] = []
  for (const [operation, ask] of asking) {
    await ask(ports, call())
    passage.plan()
    await ask(ports, call())
    asked.push({ operation, ask, exchanges: passage.count })
  }
  await run({ passage, ports, asked })
}

interface Warm {
  passage: Passage
  ports: Whole
  asked: { operation: Operation; ask: Question; exchanges: number }[]
}

export const failureDuties = [
  // Half of an answer takes the system's own: that is examined below.
  ...ailments
    .filter(({ trouble }) => trouble !== 'halve')
    .flatMap((ailment) => duties(`a system that ${ailment.name}`, ...whenItAils(ailment))),
  ...duties('a system that is not there', [
    'is unavailable, and worth another try',
    [],
    async (bench) => {
      await using ports = bench.connect(() => 'http://127.0.0.1:9')
      const ailment = { name: '', trouble: 'cut', failure: 'unavailable', retryable: true } as const
      const misfits: string[] = []
      for (const [operation, ask] of questionsFor(bench)) {
        const wrong = misfit(ailment, await outcomeOf(ask(ports, call())))
        if (wrong) misfits.push(`${operation}: ${wrong}`)
      }
      expect(misfits.join('\n')).to.equal('')
    },
  ]),
  ...duties('a system that falls ill', [
    'fails each operation in its own way, at its first exchange and at its last, and recovers',
    [],
    (bench) =>
      warmed(bench, async ({ passage, ports, asked }) => {
        const misfits: string[] = []
        for (const { operation, ask, exchanges } of asked) {
          const struck = async (ailment: Ailment, from: number) => {
            passage.plan((n) => (n >= from ? ailment.trouble : undefined))
            const wrong = misfit(ailment, await outcomeOf(ask(ports, call())))
            // What it keeps it may go on answering.
            if (wrong && passage.count >= from) misfits.push(`${operation}, ${ailment.name} at ${from}: ${wrong}`)
          }
          for (const ailment of ailments.filter(({ failure }) => failure !== 'rejected')) await struck(ailment, 1)
          if (exchanges > 1) for (const ailment of telling) await struck(ailment, exchanges)
          passage.plan()
          await ask(ports, call())
        }
        expect(misfits.join('\n')).to.equal('')
      }),
  ]),
]

/** From the start on: an adapter that logs in first, or reads tables first, must not hide why it cannot. */
function whenItAils(ailment: Ailment): Parameters<typeof duties>[1][] {
  return [
    [
      `makes every operation reject with '${ailment.failure}'`,
      [],
      async (bench) => {
        await using ports = bench.connect(bench.between.passage(() => ailment.trouble).way)
        const misfits: string[] = []
        for (const [operation, ask] of questionsFor(bench)) {
          const wrong = misfit(ailment, await outcomeOf(ask(ports, call())))
          if (wrong) misfits.push(`${operation}: ${wrong}`)
        }
        expect(misfits.join('\n')).to.equal('')
      },
    ],
  ]
}
