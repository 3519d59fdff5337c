import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { UpstreamError } from '../../../../src/errors.ts'
import { createCall } from '../../../support/create-call.ts'
import type { ProxyRoute } from '../../../support/fault-proxy.ts'
import { requirements } from '../requirement.ts'
import { type SampleCall, sampleCallsFor } from '../sample-calls.ts'
import type { CompletePorts, TestBench } from '../test-bench.ts'
import { withWarmAdapter } from './failures.ts'

const EXCHANGES = 10

const reasons = [
  { failure: 'timeout', reason: new UpstreamError('timeout', 'its time is over') },
  { failure: 'aborted', reason: undefined },
] as const

/**
 * Waits for some exchanges through another route: by then, everything that was sent has arrived, and an adapter that
 * continues has sent its next call. They take as long as the machine is slow.
 */
async function waitSomeExchanges({ faultProxy }: Pick<TestBench, 'faultProxy'>): Promise<void> {
  const at = faultProxy.createRoute(() => ({ status: 200 })).addressFor('http://127.0.0.1:9')
  for (let n = 0; n < EXCHANGES; n += 1) await (await fetch(at)).text()
}

/** Aborts a call while the system does not respond, and describes what the adapter did wrong. */
async function abortWhileSilent(
  bench: Pick<TestBench, 'faultProxy' | 'abortTimeoutMs'>,
  ask: SampleCall,
  { ports, passage, n }: { ports: CompletePorts; passage: ProxyRoute; n: number },
  mayContinue: boolean,
) {
  const { failure, reason } = reasons[n % 2]!
  const caller = new AbortController()
  const outcome = ask(ports, createCall({ signal: caller.signal })).then(
    () => 'answered',
    (error: Partial<UpstreamError>) => error.failure ?? String(error),
  )
  const isOver = async (ms: number) => (await Promise.race([outcome, pause(ms, null)])) !== null
  while (passage.heldCount === 0 && !(await isOver(2)));
  // A cached result needs no exchange.
  if (passage.heldCount === 0) return undefined
  await waitSomeExchanges(bench)
  caller.abort(reason)
  if (!(await isOver(bench.abortTimeoutMs))) return 'goes on after its caller has left'
  const asked = passage.count
  await passage.release()
  await waitSomeExchanges(bench)
  if (passage.count > asked && !mayContinue) return 'asks more after its caller has left'
  return (await outcome) === failure ? undefined : `${failure} expected, came ${await outcome}`
}

export const deadlineRequirements = requirements(
  'a caller who aborts',
  [
    'ends at once without an exchange when it aborted before the call',
    [],
    async (bench) => {
      const passage = bench.faultProxy.createRoute(() => 'hold')
      await using ports = bench.connect(passage.addressFor)
      const mismatches: string[] = []
      for (const [operation, ask] of sampleCallsFor(bench)) {
        for (const { failure, reason } of reasons) {
          const outcome = await Promise.race([
            ask(ports, createCall({ signal: AbortSignal.abort(reason) })),
            pause(bench.abortTimeoutMs),
          ]).catch((error) => error.failure)
          if (outcome !== failure) mismatches.push(`${operation}: ${failure} expected, came ${outcome}`)
        }
      }
      expect(mismatches.join('\n')).to.equal('')
      expect(passage.count, 'exchanges').to.equal(0)
    },
  ],
  [
    'ends every operation when the system does not respond at all',
    [],
    async (bench) => {
      const mismatches: string[] = []
      for (const [n, [operation, ask]] of sampleCallsFor(bench).entries()) {
        const passage = bench.faultProxy.createRoute(() => 'hold')
        await using ports = bench.connect(passage.addressFor)
        // A login, or a table that is shared by all callers, may complete.
        const mismatch = await abortWhileSilent(bench, ask, { ports, passage, n }, true)
        if (mismatch) mismatches.push(`${operation}: ${mismatch}`)
        // An adapter may log out when it closes, and waits for that.
        passage.setPlan()
        await passage.release()
      }
      expect(mismatches.join('\n')).to.equal('')
    },
  ],
  [
    'ends every operation without another exchange, whichever exchange gets no response',
    [],
    (bench) =>
      withWarmAdapter(bench, async ({ passage, ports, asked }) => {
        const mismatches: string[] = []
        for (const { operation, ask, exchanges } of asked) {
          for (let n = 1; n <= exchanges; n += 1) {
            const attempt = async () => {
              passage.setPlan((each) => (each === n ? 'hold' : undefined))
              const mismatch = await abortWhileSilent(
                bench,
                ask,
                { ports, passage, n },
                bench.shares.includes(operation),
              )
              await passage.release()
              return mismatch
            }
            // A table cached for all callers may have expired; it does not expire twice.
            const mismatch = (await attempt()) && (await attempt())
            if (mismatch) mismatches.push(`${operation}, silent at ${n} of ${exchanges}: ${mismatch}`)
          }
          passage.setPlan()
          await ask(ports, createCall())
        }
        expect(mismatches.join('\n')).to.equal('')
      }),
  ],
)
