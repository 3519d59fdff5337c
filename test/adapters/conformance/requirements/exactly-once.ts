import { expect } from 'chai'
import type { PlaceOrderResult } from '../../../../src/ports/order.ts'
import { createOrderFixture, interruptEachOrderExchange, ORDER_NEEDS } from '../order-fixture.ts'
import { requirementsOf } from '../requirement.ts'
import { retryWhileRetryable } from '../retry-and-interrupt.ts'
import { createCall, failureOf } from '../subject.ts'

const idOf = (answer: PlaceOrderResult) => (answer.state === 'placed' ? answer.order.order_id : answer.reason)

export const exactlyOnceRequirements = requirementsOf(
  'accounting.placeOrder',
  [
    'makes one order of one reference, under eight attempts at once and one later',
    ORDER_NEEDS,
    async (bench) => {
      await using counter = createOrderFixture(bench)
      const before = await counter.available()
      const draft = counter.draft()
      const together = await Promise.all(
        Array.from({ length: 8 }, async (_, i) => {
          if (i % 2) return counter.place(draft)
          await using another = bench.connect()
          return await counter.place(draft, another)
        }),
      )
      const later = await counter.place(draft)
      expect(together.map(idOf)).to.deep.equal(together.map(() => idOf(later)))
      expect(await counter.place(draft)).to.deep.equal(later)
      expect((await counter.all()).filter(({ reference }) => reference === draft.reference)).to.have.lengthOf(1)
      expect(await counter.available()).to.be.closeTo(before - Number(draft.totals.total), 0.001)
    },
  ],
  [
    'makes one order, whichever answer is lost on the way',
    ORDER_NEEDS,
    async (bench) => {
      await using counter = createOrderFixture(bench)
      const references: string[] = []
      await interruptEachOrderExchange(bench, 'lose', async ({ ports }, n) => {
        const draft = counter.draft()
        references.push(draft.reference)
        const told = await ports.accounting.placeOrder(draft, createCall()).then(idOf, ({ failure }) => failure)
        const answer = await counter.place(draft)
        expect(answer.state, `after exchange ${n} was struck`).to.equal('placed')
        // An adapter may have asked again by itself: then it tells of the same order.
        expect(told).to.be.oneOf(['unavailable', idOf(answer)])
        expect(await counter.place(draft)).to.deep.equal(answer)
      })
      const kept = (await counter.all()).map(({ reference }) => reference)
      expect(kept.filter((one) => references.includes(one!)).sort()).to.deep.equal(references.sort())
    },
  ],
  [
    'makes one order, whichever question arrives when all is over',
    ORDER_NEEDS,
    async (bench) => {
      await using counter = createOrderFixture(bench)
      const made = new Map<string, string>()
      await interruptEachOrderExchange(bench, 'hold', async ({ passage, ports }, n) => {
        const draft = counter.draft()
        const leaving = new AbortController()
        const first = ports.accounting.placeOrder(draft, createCall(leaving.signal)).catch(() => undefined)
        while (passage.held === 0 && (await Promise.race([first, tick()])) === TICK);
        leaving.abort()
        await first
        const answer = await counter.place(draft)
        await passage.release()
        expect(await counter.place(draft), `after exchange ${n} came late`).to.deep.equal(answer)
        made.set(draft.reference, idOf(answer))
      })
      const kept = (await counter.all()).filter(({ reference }) => made.has(reference!))
      expect(kept.map(({ reference, order_id }) => [reference, order_id])).to.have.deep.members([...made])
    },
  ],
  [
    'refuses for ever what it refused, whichever answer is lost on the way',
    ORDER_NEEDS,
    async (bench) => {
      await using counter = createOrderFixture(bench)
      await interruptEachOrderExchange(bench, 'lose', async ({ ports }, n) => {
        const right = counter.draft()
        const wrong = { ...right, totals: { ...right.totals, total: '1.00' } }
        await ports.accounting.placeOrder(wrong, createCall()).catch(() => undefined)
        expect(idOf(await counter.place(wrong)), `exchange ${n}`).to.equal('TOTALS_DISAGREE')
        expect(idOf(await counter.place(right)), `exchange ${n}, put right`).to.equal('TOTALS_DISAGREE')
      })
    },
  ],
  [
    'goes by the reference alone: asked with another draft, it answers the order that there is',
    ORDER_NEEDS,
    async (bench) => {
      await using counter = createOrderFixture(bench)
      const draft = counter.draft()
      const order = await counter.placed(draft)
      const another = { ...counter.draft({}, { quantity: '2' }), reference: draft.reference }
      expect(await counter.placed(another)).to.deep.equal(order)
    },
  ],
  [
    'shows no customer the order of another, though they use its reference',
    ORDER_NEEDS,
    async (bench) => {
      await using counter = createOrderFixture(bench)
      const { otherId } = bench.facts.customer
      const draft = counter.draft()
      await counter.placed(draft)
      const theirs = { ...draft, customer_id: otherId }
      await failureOf(retryWhileRetryable(() => bench.accounting.placeOrder(theirs, createCall())))
      expect(await bench.accounting.order(otherId, { reference: draft.reference }, createCall())).to.equal(null)
    },
  ],
)

const TICK = Symbol('tick')
const tick = () => new Promise((resolve) => setTimeout(resolve, 2, TICK))
