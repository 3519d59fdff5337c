import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { OrderDraft } from '../../../src/ports/order.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import type { AccountingContext } from '../accounting-context.ts'
import { nullable, TrytonId, toTrytonDate, toTrytonDecimal } from '../client/tryton-values.ts'
import { findOrCreateAddress } from '../customers/addresses.ts'
import type { TaxedProduct } from '../pricing/sku-taxes.ts'
import { dateInTimeZone } from '../time-zone.ts'
import { readSaleCoupons } from './sale-coupons.ts'
import { SALES_CHANNEL } from './sale-description.ts'

const Reference = Type.Optional(nullable(TrytonId))
/** What Tryton itself would put at the head of a sale to this party: making one over RPC fills in nothing. */
const Head = Type.Object({
  ...{ price_list: Reference, payment_term: Reference, invoice_address: Reference, shipment_address: Reference },
})
const Heads = responseSchema(Type.Array(Head))
const Terms = responseSchema(Type.Array(Type.Object({ id: TrytonId })))
const NOWHERE = { line1: '', line2: null, city: '', region: null, postal_code: null, country: '' }

/** A draft as Tryton makes a sale of it, at prices and taxes that were checked. */
export async function buildSaleValues(
  ledger: AccountingContext,
  draft: OrderDraft,
  products: readonly TaxedProduct[],
  call: Call,
) {
  const { rpc, settings, facts } = ledger
  const party = Number(draft.customer_id)
  const company = settings.company ?? 1
  const [[head = {}], places, cash, coupons] = await Promise.all([
    rpc(Heads, 'sale.sale.on_change', [{ party, company, lines: [] }, ['party']], call),
    settings.warehouse === undefined ? null : ledger.places(call),
    draft.payment_method === 'CASH_ON_DELIVERY' ? cashTerm(ledger, call) : null,
    draft.promotions.length === 0 ? [] : readSaleCoupons(ledger, draft, call),
  ])
  const { shipping_address, billing_address, requested_date } = draft
  const sent = shipping_address ? await findOrCreateAddress(ledger, party, shipping_address, call) : null
  const billed = billing_address ? await findOrCreateAddress(ledger, party, billing_address, call) : null
  const some = sent ?? billed ?? head.shipment_address ?? head.invoice_address
  const anywhere = some ?? (await findOrCreateAddress(ledger, party, NOWHERE, call))
  const later = requested_date && requested_date >= dateInTimeZone(facts.timeZone, facts.now()) ? requested_date : null
  return {
    ...{
      party,
      web_id: draft.reference,
      description: SALES_CHANNEL,
      reference: draft.po_number,
      comment: commentOf(draft),
    },
    ...(head.price_list !== undefined && { price_list: head.price_list }),
    ...(places && { warehouse: places.ids[0] }),
    payment_term: cash ?? head.payment_term ?? null,
    shipment_address: sent ?? head.shipment_address ?? anywhere,
    invoice_address: billed ?? head.invoice_address ?? anywhere,
    shipping_date: later && toTrytonDate(later),
    ...(coupons.length > 0 && { coupons: [['add', coupons.map(({ id }) => id)]] }),
    lines: [['create', linesOf(draft, products)]],
  }
}

function linesOf({ lines }: OrderDraft, products: readonly TaxedProduct[]): object[] {
  return lines.map(({ sku, name, quantity, unit_price }, sequence) => {
    const { product, unit, taxIds } = products.find((one) => one.sku === sku)!
    const about = { type: 'line', sequence, product, unit, description: name }
    return { ...about, quantity: Number(quantity), unit_price: toTrytonDecimal(unit_price), taxes: [['add', taxIds]] }
  })
}

async function cashTerm({ rpc, settings }: AccountingContext, call: Call): Promise<number | null> {
  if (settings.cash_term === undefined) return null
  const domain = [['name', '=', settings.cash_term]]
  const [term] = await rpc(Terms, 'account.invoice.payment_term.search_read', [domain, 0, 1, [['id', 'ASC']], []], call)
  return term?.id ?? null
}

/** For the people who pack and send it. */
function commentOf({ notes, contact, fulfillment_method, payment_method, requested_date }: OrderDraft): string {
  const person = contact && [contact.name, contact.phone, contact.email].filter(Boolean).join(', ')
  return [
    notes,
    person && `Contact: ${person}`,
    fulfillment_method === 'PICKUP' && 'The customer picks it up.',
    payment_method === 'CASH_ON_DELIVERY' && 'Cash on delivery.',
    requested_date && `Wanted on ${requested_date}.`,
  ]
    .filter(Boolean)
    .join('\n')
}
