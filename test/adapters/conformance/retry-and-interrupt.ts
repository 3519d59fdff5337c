import { expect } from 'chai'
import { UpstreamError } from '../../../src/errors.ts'
import type { ProxyFault, ProxyRoute } from '../../support/fault-proxy.ts'

const TRIES = 20
/** The short form: `STRIDE=3` interrupts every third exchange. */
const STRIDE = Math.max(1, Math.trunc(Number(process.env.STRIDE)) || 1)

/** Retries a call while its failure is retryable, as Forecourt does for writes. */
export async function retryWhileRetryable<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof UpstreamError) || !error.retryable || tries === TRIES) throw error
    }
  }
}

/** Repeats a call and interrupts another one of its exchanges each time. Returns the number of exchanges. */
export async function interruptEachExchange(
  passage: ProxyRoute,
  trouble: ProxyFault,
  ask: (n: number) => Promise<unknown>,
): Promise<number> {
  for (let n = 1; ; n += STRIDE) {
    passage.setPlan((each) => (each === n ? trouble : undefined))
    await ask(n)
    const { count } = passage
    passage.setPlan()
    if (count < n) return count
    expect(n, 'exchanges of one question').to.be.below(60)
  }
}
