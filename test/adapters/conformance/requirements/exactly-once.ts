import { expect } from 'chai'
import type { PlaceOrderResult } from '../../../../src/ports/order.ts'
import { createCall } from '../../../support/create-call.ts'
import { failureOf } from '../../../support/failure-of.ts'
import { interruptEachOrderExchange } from '../interrupt-each-exchange.ts'
import { createOrderFixture, ORDER_NEEDS } from '../order-fixture.ts'
import { requirementsOf } from '../requirement.ts'
import { retryWhileRetryable } from '../retry-while-retryable.ts'

const idOf = (answer: PlaceOrderResult) => (answer.state === 'placed' ? answer.order.order_id : answer.reason)

export const exactlyOnceRequirements = requirementsOf(
  'accounting.placeOrder',
  [
    'creates one order per reference in eight parallel attempts and a later one',
    ORDER_NEEDS,
    async (bench) => {
      await using shop = createOrderFixture(bench)
      const before = await shop.available()
      const draft = shop.draft()
      const together = await Promise.all(
        Array.from({ length: 8 }, async (_, i) => {
          if (i % 2) return shop.place(draft)
          await using another = bench.connect()
          return await shop.place(draft, another)
        }),
      )
      const later = await shop.place(draft)
      expect(together.map(idOf)).to.deep.equal(together.map(() => idOf(later)))
      expect(await shop.place(draft)).to.deep.equal(later)
      expect((await shop.all()).filter(({ reference }) => reference === draft.reference)).to.have.lengthOf(1)
      expect(await shop.available()).to.be.closeTo(before - Number(draft.totals.total), 0.001)
    },
  ],
  [
    'creates one order, whichever response is lost',
    ORDER_NEEDS,
    async (bench) => {
      await using shop = createOrderFixture(bench)
      const references: string[] = []
      await interruptEachOrderExchange(bench, 'lose', async ({ ports }, n) => {
        const draft = shop.draft()
        references.push(draft.reference)
        const outcome = await ports.accounting.placeOrder(draft, createCall()).then(idOf, ({ failure }) => failure)
        const answer = await shop.place(draft)
        expect(answer.state, `after exchange ${n} was struck`).to.equal('placed')
        // The adapter may have retried by itself: then it returned the same order.
        expect(outcome).to.be.oneOf(['unavailable', idOf(answer)])
        expect(await shop.place(draft)).to.deep.equal(answer)
      })
      const kept = (await shop.all()).map(({ reference }) => reference)
      expect(kept.filter((one) => references.includes(one!)).sort()).to.deep.equal(references.sort())
    },
  ],
  [
    'creates one order, whichever request arrives late',
    ORDER_NEEDS,
    async (bench) => {
      await using shop = createOrderFixture(bench)
      const made = new Map<string, string>()
      await interruptEachOrderExchange(bench, 'hold', async ({ passage, ports }, n) => {
        const draft = shop.draft()
        const abortWhileSilent = new AbortController()
        const first = ports.accounting
          .placeOrder(draft, createCall({ signal: abortWhileSilent.signal }))
          .catch(() => undefined)
        while (passage.heldCount === 0 && (await Promise.race([first, tick()])) === TICK);
        abortWhileSilent.abort()
        await first
        const answer = await shop.place(draft)
        await passage.release()
        expect(await shop.place(draft), `after exchange ${n} came late`).to.deep.equal(answer)
        made.set(draft.reference, idOf(answer))
      })
      const kept = (await shop.all()).filter(({ reference }) => made.has(reference!))
      expect(kept.map(({ reference, order_id }) => [reference, order_id])).to.have.deep.members([...made])
    },
  ],
  [
    'refuses forever what it refused, whichever answer is lost on the way',
    ORDER_NEEDS,
    async (bench) => {
      await using shop = createOrderFixture(bench)
      await interruptEachOrderExchange(bench, 'lose', async ({ ports }, n) => {
        const right = shop.draft()
        const wrong = { ...right, totals: { ...right.totals, total: '1.00' } }
        await ports.accounting.placeOrder(wrong, createCall()).catch(() => undefined)
        expect(idOf(await shop.place(wrong)), `exchange ${n}`).to.equal('TOTALS_DISAGREE')
        expect(idOf(await shop.place(right)), `exchange ${n}, put right`).to.equal('TOTALS_DISAGREE')
      })
    },
  ],
  [
    'goes by the reference alone: asked with another draft, it answers the order that there is',
    ORDER_NEEDS,
    async (bench) => {
      await using shop = createOrderFixture(bench)
      const draft = shop.draft()
      const order = await shop.placed(draft)
      const another = { ...shop.draft({}, { quantity: '2' }), reference: draft.reference }
      expect(await shop.placed(another)).to.deep.equal(order)
    },
  ],
  [
    'shows no customer the order of another, though they use its reference',
    ORDER_NEEDS,
    async (bench) => {
      await using shop = createOrderFixture(bench)
      const { otherId } = bench.facts.customer
      const draft = shop.draft()
      await shop.placed(draft)
      const theirs = { ...draft, customer_id: otherId }
      await failureOf(retryWhileRetryable(() => bench.accounting.placeOrder(theirs, createCall())))
      expect(await bench.accounting.order(otherId, { reference: draft.reference }, createCall())).to.equal(null)
    },
  ],
)

const TICK = Symbol('tick')
const tick = () => new Promise((resolve) => setTimeout(resolve, 2, TICK))
