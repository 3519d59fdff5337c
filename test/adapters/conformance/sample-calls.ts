import type { Call } from '../../../src/ports/call.ts'
import { BOTH_ITEM_PARTS } from './both-item-parts.ts'
import { allOperations, type Operation } from './operations.ts'
import { createOrderDraft } from './order-draft.ts'
import { CANCEL_REASON } from './order-fixture.ts'
import type { Facts } from './subject.ts'
import type { CompletePorts, TestBench } from './test-bench.ts'

export type SampleCall = (ports: CompletePorts, call: Call) => Promise<unknown>

const page = { limit: 2, offset: 0 }
/** A picture id in the format of most systems, so that the adapter sends the call. */
const UNKNOWN_PICTURE = '999999999'
const since = { since: '2000-01-01T00:00:00.000Z', ...page }

/** Returns one simple call per operation. Writes are identical each time, so that they create one record. */
function createSampleCalls(
  facts: Partial<Facts> & Pick<Facts, 'skus'>,
  reference: string,
): Record<Operation, SampleCall> {
  const [sku] = facts.skus
  const who = facts.customer?.customerId ?? '1'
  const goods = facts.goods ?? { sku, uom: 'u', unitPrice: '1.00' }
  const newCustomer = { first_name: 'Con', last_name: 'Forming', company: null, phone: null }
  return {
    'inventory.search': ({ inventory }, call) => inventory.search(page, BOTH_ITEM_PARTS, call),
    'inventory.items': ({ inventory }, call) => inventory.items([sku], BOTH_ITEM_PARTS, call),
    'inventory.categories': ({ inventory }, call) => inventory.categories(call),
    'inventory.tags': ({ inventory }, call) => inventory.tags(call),
    'inventory.vehicleFacet': ({ inventory }, call) => inventory.vehicleFacet({ facet: 'year' }, call),
    'inventory.vehicleItems': ({ inventory }, call) =>
      inventory.vehicleItems(facts.vehicle?.vehicle_id ?? 1, page, BOTH_ITEM_PARTS, call),
    'inventory.fitments': ({ inventory }, call) => inventory.fitments(sku, page, call),
    'inventory.picture': ({ inventory }, call) => inventory.picture(UNKNOWN_PICTURE, call),
    'fitment.vehicleFacet': ({ fitment }, call) => fitment.vehicleFacet({ facet: 'year' }, call),
    'fitment.vehicle': ({ fitment }, call) => fitment.vehicle(facts.vehicle?.vehicle_id ?? 1, call),
    'fitment.fitments': ({ fitment }, call) => fitment.fitments(sku, page, call),
    'inventory.stockChanges': ({ inventory }, call) => inventory.stockChanges(since, call),
    'pricing.prices': ({ pricing }, call) => pricing.prices([sku], facts.contract?.customerId ?? null, call),
    'pricing.quote': ({ pricing }, call) =>
      pricing.quote({ customerId: who, lines: [{ line_id: 'l', sku, quantity: '1' }], codes: [] }, call),
    'pricing.promotions': async ({ pricing }, call) => {
      const request = { customerId: who, lines: [{ line_id: 'l', sku, quantity: '1' }], codes: ['no such code'] }
      const { lines } = await pricing.quote({ ...request, codes: [] }, call)
      return pricing.promotions(request, lines, call)
    },
    'pricing.priceChanges': ({ pricing }, call) => pricing.priceChanges(since, call),
    'accounting.taxes': ({ accounting }, call) => accounting.taxes([sku], facts.exemptCustomerId ?? null, call),
    'accounting.customer': ({ accounting }, call) => accounting.customer(who, call),
    'accounting.findCustomer': ({ accounting }, call) =>
      accounting.findCustomer(facts.customer?.email ?? 'a@shopper.example', call),
    'accounting.createCustomer': ({ accounting }, call) =>
      accounting.createCustomer({ reference: 'conforming', email: 'conforming@shopper.example', ...newCustomer }, call),
    'accounting.credit': ({ accounting }, call) => accounting.credit(who, call),
    'accounting.deliveryOptions': ({ accounting }, call) => {
      const cart = { lines: [{ sku, quantity: '1' }], goods_total: '1.00', tax_included: false }
      return accounting.deliveryOptions(
        { customerId: who, ...cart, shipping_address: facts.deliveryAddress ?? null },
        call,
      )
    },
    'accounting.placeOrder': ({ accounting }, call) =>
      accounting.placeOrder(createOrderDraft({ reference, customerId: who, goods, quantity: '1' }), call),
    'accounting.order': ({ accounting }, call) => accounting.order(who, { reference }, call),
    'accounting.orders': ({ accounting }, call) => accounting.orders(who, page, call),
    'accounting.cancelOrder': ({ accounting }, call) =>
      accounting.cancelOrder(who, { reference: 'ord_nothing' }, CANCEL_REASON, call),
    'accounting.payment': ({ accounting }, call) => accounting.payment(who, { reference }, call),
    'accounting.invoice': ({ accounting }, call) => accounting.invoice(who, facts.past?.paidInvoiceId ?? '1', call),
    'accounting.invoiceDocument': ({ accounting }, call) =>
      accounting.invoiceDocument(who, facts.documentInvoiceId ?? facts.past?.paidInvoiceId ?? '1', call),
    'accounting.invoices': ({ accounting }, call) => accounting.invoices(who, { ...page, today: '2000-01-01' }, call),
    'accounting.orderChanges': ({ accounting }, call) => accounting.orderChanges(since, call),
    'accounting.invoiceChanges': ({ accounting }, call) => accounting.invoiceChanges(since, call),
  }
}

/** Returns the calls of the operations that the adapter offers. */
export function sampleCallsFor({ facts, offers, reference }: TestBench): [Operation, SampleCall][] {
  const all = createSampleCalls(facts, reference())
  return allOperations.filter((operation) => offers.includes(operation)).map((operation) => [operation, all[operation]])
}
