import { expect } from 'chai'
import { createCall } from '../../support/create-call.ts'
import type { ProxyFault, ProxyRoute } from '../../support/fault-proxy.ts'
import type { CompletePorts, TestBench } from './test-bench.ts'

/** The short form: `STRIDE=3` interrupts every third exchange. */
const STRIDE = Math.max(1, Math.trunc(Number(process.env.STRIDE)) || 1)

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

/**
 * Interrupts each exchange of a call in turn, on an adapter that has called its system before. Sequentially, because a
 * ledger that locks tables for an order is slower with parallel ones.
 */
export async function interruptEachOrderExchange(
  bench: TestBench,
  trouble: ProxyFault,
  ask: (interrupted: InterruptedAdapter, n: number) => Promise<unknown>,
) {
  const passage = bench.faultProxy.createRoute()
  await using ports = bench.connect(passage.addressFor)
  await ports.accounting.order(bench.facts.customer.customerId, { reference: 'ord_nothing' }, createCall())
  const exchanges = await interruptEachExchange(passage, trouble, (n) => ask({ passage, ports }, n))
  expect(exchanges, 'exchanges').to.be.at.least(1)
}

interface InterruptedAdapter {
  passage: ProxyRoute
  ports: CompletePorts
}
