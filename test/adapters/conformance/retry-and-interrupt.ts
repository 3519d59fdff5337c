import { expect } from 'chai'
import { UpstreamError } from '../../../src/errors.ts'
import type { ProxyFault, ProxyRoute } from '../../support/fault-proxy.ts'

const TRIES = 20
/** The short form: `STRIDE=2` strikes every other exchange. */
const STRIDE = Math.max(1, Math.trunc(Number(process.env.STRIDE)) || 1)

/** As Forecourt asks where an answer matters: again, as long as the system says that another try may do. */
export async function retryWhileRetryable<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof UpstreamError) || !error.retryable || tries === TRIES) throw error
    }
  }
}

/** Asks anew as often as the question takes exchanges, and strikes another one of them each time. Answers how many there were. */
export async function interruptEachExchange(
  passage: ProxyRoute,
  trouble: ProxyFault,
  ask: (n: number) => Promise<unknown>,
): Promise<number> {
  for (let n = 1; ; n += STRIDE) {
    passage.plan((each) => (each === n ? trouble : undefined))
    await ask(n)
    const { count } = passage
    passage.plan()
    if (count < n) return count
    expect(n, 'exchanges of one question').to.be.below(60)
  }
}
