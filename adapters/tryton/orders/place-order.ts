import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { OrderDraft, PlaceAnswer } from '../../../src/ports/order.ts'
import { shape } from '../../../src/upstream/response-schema.ts'
import { createTurns } from './serial-queue.ts'
import { keepDraft } from './draft-attachment.ts'
import { idOf, isRefused, type Ledger } from '../accounting-context.ts'
import type { Checked, orderCheck } from './order-check.ts'
import { type RefusedMark, refusedMark, refusedOf } from './sale-description.ts'
import { readSales, type SaleRow, withRecords } from './order-records.ts'
import type { Orders } from './order-reader.ts'
import { processSale } from './process-sale.ts'
import { type Confirming, saleSteps } from './sale-transitions.ts'
import { saleValues } from './sale-values.ts'
import { TrytonId } from '../client/tryton-values.ts'

const Ids = shape(Type.Array(TrytonId))
const TRIES = 12

/**
 * The reference is the Web ID of the sale, which the database keeps unique: whatever is sent twice, at once or late, one sale has it.
 * What happens to that sale then goes by its state in Tryton, and whoever comes finds it there and goes on; a refusal is a cancelled
 * sale that says why.
 */
export function placeOrder(
  ledger: Ledger,
  parts: Confirming & { check: ReturnType<typeof orderCheck>; orders: Orders },
): Required<Pick<AccountingPort, 'placeOrder'>> {
  const { rpc, abilities } = ledger
  const inTurn = createTurns()
  const step = saleSteps(ledger, parts)

  async function found({ reference, customer_id }: OrderDraft, call: Call): Promise<SaleRow | undefined> {
    const [sale] = await readSales(ledger, [['web_id', '=', reference]], call, { limit: 1 })
    if (sale && String(sale.party) !== customer_id)
      throw new UpstreamError('rejected', 'this reference names an order of another customer')
    return sale
  }

  async function make(draft: OrderDraft, { refused, products }: Checked, call: Call): Promise<void> {
    const values = refused ? refusedSale(draft, refused) : await saleValues(ledger, draft, products, call)
    try {
      const [id] = await rpc(Ids, 'sale.sale.create', [[values]], call)
      if (!refused) await keepDraft(rpc, id!, draft, call)
    } catch (error) {
      // Somebody was faster: the database has this Web ID already.
      if (!isRefused(error) || !(await found(draft, call))) throw error
    }
  }

  async function settled(draft: OrderDraft, call: Call): Promise<PlaceAnswer> {
    let pushed = false
    let checking = false
    try {
      for (let tries = 0; tries < TRIES; tries += 1) {
        const sale = await found(draft, call)
        if (!sale) {
          checking = true
          const checked = await parts.check(draft, call)
          checking = false
          await make(draft, checked, call)
        } else if (sale.state === 'draft' || sale.state === 'quotation') await step(sale, draft, call)
        else if (sale.state === 'confirmed' && !pushed) {
          pushed = true
          await processSale(rpc, sale, call)
        } else return await answerOf(sale, call)
      }
    } catch (error) {
      // While it is checked there is no sale. Else there may be one, whatever is missing in Tryton.
      throw checking ? error : asBegun(error)
    }
    throw new UpstreamError('error', 'the sale does not leave its state', { retryable: true })
  }

  async function answerOf(sale: SaleRow, call: Call): Promise<PlaceAnswer> {
    const refused = sale.state === 'cancelled' ? refusedOf(sale.description) : null
    if (refused) return { state: 'refused', ...refusalOf(refused) }
    const [order] = await parts.orders.viewed(await withRecords(ledger, [sale], call), call)
    return { state: 'placed', order: order! }
  }

  return {
    async placeOrder(draft, call) {
      await abilities.need(call, 'orders', 'webOrders', 'invoices')
      if (idOf(draft.customer_id) === null) throw new UpstreamError('rejected', 'there is no such customer')
      return inTurn(call, () => settled(draft, call))
    },
  }
}

/** 'not_configured' tells that nothing was begun: else, a name that is missing in Tryton is an error like any other. */
function asBegun(error: unknown): unknown {
  const isMissing = error instanceof UpstreamError && error.failure === 'not_configured'
  return isMissing ? new UpstreamError('error', error.message, { cause: error }) : error
}

const refusalOf = ({ reason, skus, available }: RefusedMark) => ({ reason, skus, available_credit: available })

/** Made as what it is in one step, so that nobody ever meets it half refused. */
const refusedSale = (draft: OrderDraft, refused: RefusedMark) => ({
  ...{ party: Number(draft.customer_id), web_id: draft.reference, description: refusedMark(refused) },
  ...{ reference: draft.po_number, state: 'cancelled' },
})
