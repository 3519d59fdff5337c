import type { FairCache } from '../../cache/fair-cache.ts'
import { UpstreamError } from '../../errors.ts'
import type { AccountingPort, Credit, CreditReservation } from '../../ports/accounting.ts'
import type { Call } from '../../ports/call.ts'
import type { Customer, CustomerDraft } from '../../ports/customer.ts'
import type { DeliveryOption, DeliveryOptionsQuery } from '../../ports/delivery.ts'
import type { Invoice, InvoicePage, InvoiceQuery } from '../../ports/invoice.ts'
import type {
  CancelOrderResult,
  Order,
  OrderDraft,
  OrderKey,
  OrderPage,
  OrderQuery,
  Payment,
  PlaceOrderResult,
} from '../../ports/order.ts'
import { type GuardedPort, throughGuard } from '../guard/guarded-port.ts'
import type { LoadResult } from '../read-stack/cached-loader.ts'
import { createReadStack } from '../read-stack/read-stack.ts'
import type { CachedValue, Freshness } from '../read-stack/value-cache.ts'
import type { RequestScope } from '../request/request-scope.ts'
import { createInvoiceDocumentReader } from './invoice-document-reader.ts'
import { queryResult, singleQuery } from './query-batch-options.ts'
import { type LiveCallOptions, runLiveCall } from './run-live-call.ts'

/**
 * A customer's own records in accounting. Plain reads never reject, and fall back on last-good values; `…Now` reads and
 * writes reject with UpstreamError.
 */
export interface AccountingClient {
  customer(customerId: string, scope: RequestScope): Promise<LoadResult<Customer>>
  credit(customerId: string, scope: RequestScope): Promise<LoadResult<Credit>>
  order(customerId: string, key: OrderKey, scope: RequestScope): Promise<LoadResult<Order>>
  orders(customerId: string, query: OrderQuery, scope: RequestScope): Promise<LoadResult<OrderPage>>
  payment(customerId: string, key: OrderKey, scope: RequestScope): Promise<LoadResult<Payment>>
  invoice(customerId: string, invoiceId: string, scope: RequestScope): Promise<LoadResult<Invoice>>
  invoices(customerId: string, query: InvoiceQuery, scope: RequestScope): Promise<LoadResult<InvoicePage>>

  customerNow(customerId: string, live: LiveCallOptions): Promise<Customer | null>
  findCustomerNow(email: string, live: LiveCallOptions): Promise<Customer | null>
  createCustomer(draft: CustomerDraft, live: LiveCallOptions): Promise<Customer>
  creditNow(customerId: string, live: LiveCallOptions): Promise<Credit | null>
  orderNow(customerId: string, key: OrderKey, live: LiveCallOptions): Promise<Order | null>
  /** The PDF of an invoice; `null` when accounting has none. Rejects with `invalid` for anything but a PDF of a bounded size. */
  invoiceDocumentNow(customerId: string, invoiceId: string, requestScope: RequestScope): Promise<Uint8Array | null>
  /** `null`: accounting checks the credit limit itself. */
  readonly creditReservation: CreditReservation | null
  /** Whether accounting can name deliveries. */
  readonly hasDeliveryOptions: boolean
  /** Returns no options where accounting has none. */
  deliveryOptionsNow(query: DeliveryOptionsQuery, live: LiveCallOptions): Promise<DeliveryOption[]>
  placeOrder(draft: OrderDraft, live: LiveCallOptions): Promise<PlaceOrderResult>
  cancelOrder(
    customerId: string,
    key: OrderKey,
    why: { reason: string; note: string | null },
    live: LiveCallOptions,
  ): Promise<CancelOrderResult | null>
}

export interface AccountingClientParts {
  tenantKey: string
  cache: FairCache<CachedValue>
  accounting: GuardedPort<AccountingPort> | undefined
  now: () => number
}

/** Read each time, and cached only for when accounting fails: what a customer owes and has ordered is shown as it is. */
const FRESHNESS: Freshness = { freshMs: 0, staleMs: 0, lastGoodMs: 3_600_000 }

type Method = Exclude<keyof AccountingPort, 'maxSkus'>

export function createAccountingClient({ tenantKey, cache, accounting, now }: AccountingClientParts): AccountingClient {
  const withMethod = (method: Method) =>
    accounting?.port[method] ? (accounting as GuardedPort<Required<AccountingPort>>) : undefined

  /** One kind of read. Grouped by customer, so that no two customers share a call or a cached value. */
  function createRead<Q, V>(
    method: Method,
    read: (port: Required<AccountingPort>, customerId: string, query: Q, call: Call) => Promise<V | null>,
  ) {
    const guarded = withMethod(method)
    const loader = createReadStack<Q, V>({
      ...singleQuery<Q>(),
      tenantKey,
      cache,
      now,
      system: 'accounting',
      name: `account.${method}`,
      freshnessOf: () => FRESHNESS,
      call: (customerId, [query], caller) =>
        throughGuard(guarded, method, 'cart', caller, async (port, call) =>
          queryResult(query!, await read(port, customerId, query!, call)),
        ),
    })
    return (customerId: string, query: Q, scope: RequestScope) => loader.loadOne(customerId, query, scope)
  }

  async function callNow<V>(
    method: Method,
    live: LiveCallOptions,
    work: (port: Required<AccountingPort>, call: Call) => Promise<V>,
  ): Promise<V> {
    const guarded = withMethod(method)
    if (!guarded) throw notConfigured(method)
    const { port, guard } = guarded
    return runLiveCall({ system: 'accounting', operation: method }, guard, live, (call) => work(port, call))
  }

  const customer = createRead<null, Customer>('customer', (port, id, _, call) => port.customer(id, call))
  const credit = createRead<null, Credit>('credit', (port, id, _, call) => port.credit(id, call))
  return {
    customer: (customerId, scope) => customer(customerId, null, scope),
    credit: (customerId, scope) => credit(customerId, null, scope),
    order: createRead<OrderKey, Order>('order', (port, id, key, call) => port.order(id, key, call)),
    orders: createRead<OrderQuery, OrderPage>('orders', (port, id, query, call) => port.orders(id, query, call)),
    payment: createRead<OrderKey, Payment>('payment', (port, id, key, call) => port.payment(id, key, call)),
    invoice: createRead<string, Invoice>('invoice', (port, id, invoiceId, call) => port.invoice(id, invoiceId, call)),
    invoices: createRead<InvoiceQuery, InvoicePage>('invoices', (port, id, query, call) =>
      port.invoices(id, query, call),
    ),

    customerNow: (id, live) => callNow('customer', live, (port, call) => port.customer(id, call)),
    findCustomerNow: (email, live) => callNow('findCustomer', live, (port, call) => port.findCustomer(email, call)),
    createCustomer: (draft, live) => callNow('createCustomer', live, (port, call) => port.createCustomer(draft, call)),
    creditNow: (id, live) => callNow('credit', live, (port, call) => port.credit(id, call)),
    orderNow: (id, key, live) => callNow('order', live, (port, call) => port.order(id, key, call)),
    invoiceDocumentNow: createInvoiceDocumentReader(withMethod('invoiceDocument')),
    creditReservation: accounting?.port.creditReservation ?? null,
    hasDeliveryOptions: withMethod('deliveryOptions') !== undefined,
    deliveryOptionsNow: async (query, live) =>
      withMethod('deliveryOptions')
        ? callNow('deliveryOptions', live, (port, call) => port.deliveryOptions(query, call))
        : [],
    placeOrder: (draft, live) =>
      callNow('placeOrder', { ...live, write: true }, (port, call) => port.placeOrder(draft, call)),
    cancelOrder: (id, key, why, live) =>
      callNow('cancelOrder', { ...live, write: true }, (port, call) => port.cancelOrder(id, key, why, call)),
  }
}

const notConfigured = (method: string) =>
  new UpstreamError('not_configured', `accounting has no ${method}`, { system: 'accounting' })
