import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { UpstreamError } from '../../../../src/errors.ts'
import type { ProxyRoute } from '../../../support/fault-proxy.ts'
import { type CompletePorts, requirements, type TestBench } from '../requirement.ts'
import { type SampleCall, sampleCallsFor } from '../sample-calls.ts'
import { createCall } from '../subject.ts'
import { withWarmAdapter } from './failures.ts'

const EXCHANGES = 10

const reasons = [
  { failure: 'timeout', reason: new UpstreamError('timeout', 'its time is over') },
  { failure: 'aborted', reason: undefined },
] as const

/**
 * Some exchanges by another way, one after the other: what was sent has arrived by then, and an adapter that goes on has asked its next
 * question. They are as slow as the machine is.
 */
async function aWhile({ between }: Pick<TestBench, 'between'>): Promise<void> {
  const at = between.passage(() => ({ status: 200 })).way('http://127.0.0.1:9')
  for (let n = 0; n < EXCHANGES; n += 1) await (await fetch(at)).text()
}

/** Leaves while the system is silent, and tells what the adapter then did not do as it should. */
async function leaving(
  bench: Pick<TestBench, 'between' | 'patienceMs'>,
  ask: SampleCall,
  { ports, passage, n }: { ports: CompletePorts; passage: ProxyRoute; n: number },
  goesOn: boolean,
) {
  const { failure, reason } = reasons[n % 2]!
  const caller = new AbortController()
  const outcome = ask(ports, createCall(caller.signal)).then(
    () => 'answered',
    (error: Partial<UpstreamError>) => error.failure ?? String(error),
  )
  const isOver = async (ms: number) => (await Promise.race([outcome, pause(ms, null)])) !== null
  while (passage.held === 0 && !(await isOver(2)));
  // What it keeps it may answer without asking.
  if (passage.held === 0) return undefined
  await aWhile(bench)
  caller.abort(reason)
  if (!(await isOver(bench.patienceMs))) return 'goes on after its caller has left'
  const asked = passage.count
  await passage.release()
  await aWhile(bench)
  if (passage.count > asked && !goesOn) return 'asks more after its caller has left'
  return (await outcome) === failure ? undefined : `${failure} expected, came ${await outcome}`
}

export const deadlineRequirements = requirements(
  'a caller who leaves',
  [
    'is told so at once, and nothing is asked, when that was before',
    [],
    async (bench) => {
      const passage = bench.between.passage(() => 'hold')
      await using ports = bench.connect(passage.way)
      const misfits: string[] = []
      for (const [operation, ask] of sampleCallsFor(bench)) {
        for (const { failure, reason } of reasons) {
          const told = await Promise.race([
            ask(ports, createCall(AbortSignal.abort(reason))),
            pause(bench.patienceMs),
          ]).catch((error) => error.failure)
          if (told !== failure) misfits.push(`${operation}: ${failure} expected, came ${told}`)
        }
      }
      expect(misfits.join('\n')).to.equal('')
      expect(passage.count, 'exchanges').to.equal(0)
    },
  ],
  [
    'ends every operation when the system is silent from the first question on',
    [],
    async (bench) => {
      const misfits: string[] = []
      for (const [n, [operation, ask]] of sampleCallsFor(bench).entries()) {
        const passage = bench.between.passage(() => 'hold')
        await using ports = bench.connect(passage.way)
        // A login, or a table that is read for all callers, may come to its end.
        const wrong = await leaving(bench, ask, { ports, passage, n }, true)
        if (wrong) misfits.push(`${operation}: ${wrong}`)
      }
      expect(misfits.join('\n')).to.equal('')
    },
  ],
  [
    'ends every operation, which asks nothing more, at whatever question the system falls silent',
    [],
    (bench) =>
      withWarmAdapter(bench, async ({ passage, ports, asked }) => {
        const misfits: string[] = []
        for (const { operation, ask, exchanges } of asked) {
          for (let n = 1; n <= exchanges; n += 1) {
            const attempt = async () => {
              passage.plan((each) => (each === n ? 'hold' : undefined))
              const wrong = await leaving(bench, ask, { ports, passage, n }, bench.shares.includes(operation))
              await passage.release()
              return wrong
            }
            // A table that is kept for all callers may have been due; it is not due twice.
            const wrong = (await attempt()) && (await attempt())
            if (wrong) misfits.push(`${operation}, silent at ${n} of ${exchanges}: ${wrong}`)
          }
          passage.plan()
          await ask(ports, createCall())
        }
        expect(misfits.join('\n')).to.equal('')
      }),
  ],
)

export const concurrencyRequirements = requirements('many callers at once', [
  'are answered as each is alone',
  ['inventory.items', 'pricing.prices', 'accounting.taxes'],
  async (bench) => {
    const { skus } = bench.facts
    const asked = Array.from({ length: 24 }, (_, i) => skus.filter((_, at) => at !== i % skus.length))
    const read = async ({ inventory, pricing, accounting }: CompletePorts, some: string[]) => {
      const [items, prices, taxes] = await Promise.all([
        inventory.items(some, { product: true, stock: false }, createCall()),
        pricing.prices(some, null, createCall()),
        accounting.taxes(some, null, createCall()),
      ])
      return { items, prices: prices.map(({ as_of: _, ...price }) => price), taxes }
    }
    const alone = new Map<string, unknown>()
    for (const some of asked.slice(0, skus.length)) alone.set(some.join(), await read(bench, some))
    await using anew = bench.connect()
    const together = await Promise.all(asked.map((some) => read(anew, some)))
    for (const [i, answer] of together.entries()) expect(answer).to.deep.equal(alone.get(asked[i]!.join()))
  },
])
