import { endOrderAsOperator } from '../../../commands/orders/end-order-as-operator.ts'
import {
  countPendingBefore,
  findAnyArchivedOrder,
  findAnyOrder,
} from '../../../storage/commerce/operator-order-queries.ts'
import { listOrderTries } from '../../../storage/commerce/order-tries.ts'
import type { OrderRecord } from '../../../storage/commerce/orders.ts'
import { tenantOf } from '../../../storage/tenant-columns.ts'
import type { UpstreamRegistry } from '../../../upstream/upstream-registry.ts'
import { type AuditedActionParts, createAuditedAction } from '../../audited-action.ts'
import type { ConsolePage, ConsoleRequest, TemplateResponse } from '../../console-page.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { toCustomerPath, toOrderPath } from '../../page-paths.ts'
import { listCheckoutRequests } from './checkout-requests-of-order.ts'
import { toLiveFinding } from './live-finding.ts'
import { toOrderInAccountingView } from './order-in-accounting-view.ts'
import { toOrderPageView } from './order-page-view.ts'
import { listOtherOrdersOfCustomer } from './other-orders-of-customer.ts'
import { createPageScope } from './page-scope.ts'
import { createLookupNotFound, isServedTenant } from './served-tenant.ts'

export interface OrderPagesParts extends AuditedActionParts {
  upstreams: Pick<UpstreamRegistry, 'states' | 'forTenant'>
  merchants: MerchantDirectory
}

/** The store is not queried with other ids: PostgreSQL rejects some texts. */
const ORDER_ID = /^ord_[0-9A-Za-z]{22}$/
const toPath = ({ params }: ConsoleRequest) => toOrderPath(params.id!)

/** Creates the page of an order: what accounting was asked and when, where it waits, and what to do; and of what accounting says of it now. An operator may end it. */
export function createOrderPages(parts: OrderPagesParts): ConsolePage[] {
  const { db, merchants, upstreams, now } = parts

  const page: ConsolePage = {
    method: 'GET',
    path: '/orders/:id',
    role: 'support',
    isLive: true,
    async respond({ params }): Promise<TemplateResponse> {
      const id = params.id!
      const order = await findServedOrder(parts, id)
      if (!order) return respondArchived(parts, id)
      const [tries, requests, otherOrders, ahead] = await Promise.all([
        listOrderTries(db, id),
        listCheckoutRequests(db, order),
        listOtherOrdersOfCustomer(db, order, merchants),
        order.status === 'PENDING' ? countPendingBefore(db, order, order.leased_until) : 0,
      ])
      const circuit = upstreams
        .states()
        .find(
          (state) => state.merchant === order.tenant_id && state.mode === order.mode && state.circuit === 'accounting',
        )
      const facts = { tries, requests, ahead, circuit: circuit ?? null }
      const view = { ...toOrderPageView(order, facts, merchants, now()), otherOrders }
      return { template: 'order', title: `Order ${view.number ?? id}`, view }
    },
  }

  const inAccountingPage: ConsolePage = {
    method: 'GET',
    path: '/orders/:id/accounting',
    role: 'support',
    async respond({ params }): Promise<TemplateResponse> {
      const order = await findServedOrder(parts, params.id!)
      const accounting = order && upstreams.forTenant(tenantOf(order))?.backOffice.accounting
      if (!accounting) throw createLookupNotFound('order')
      const requestScope = createPageScope(now)
      const live = { requestScope, priority: 'search' } as const
      const reading = accounting.orderNow(order.customer_id, { reference: order.order_id }, live)
      const finding = await toLiveFinding(reading).finally(() => requestScope.leave())
      const view = toOrderInAccountingView(order, finding, merchants, now())
      return { template: 'order-in-accounting', title: `Order ${view.number} in accounting`, view }
    },
  }

  const endAction = createAuditedAction(parts, {
    path: '/orders/:id/end',
    action: 'order.end',
    readTarget: ({ params }) => ({ order: params.id }),
    failurePath: toPath,
    async run(request) {
      const order = await findServedOrder(parts, request.params.id!)
      const accounting = order && upstreams.forTenant(tenantOf(order))?.backOffice.accounting
      if (!accounting) throw createLookupNotFound('order')
      const result = await endOrderAsOperator(parts, order, accounting)
      const message =
        result === 'rejected'
          ? 'The order is ended. The shopper sees it as rejected, and it is not sent to accounting any more.'
          : 'Accounting has this order, so it was confirmed instead of ended.'
      return { redirect: toPath(request), message }
    },
  })

  return [page, inAccountingPage, endAction]
}

async function findServedOrder({ db, merchants }: OrderPagesParts, id: string): Promise<OrderRecord | null> {
  const order = ORDER_ID.test(id) ? await findAnyOrder(db, id) : null
  return order && isServedTenant(merchants, order.tenant_id) ? order : null
}

async function respondArchived({ db, merchants }: OrderPagesParts, id: string): Promise<TemplateResponse> {
  const archived = ORDER_ID.test(id) ? await findAnyArchivedOrder(db, id) : undefined
  if (!archived || !isServedTenant(merchants, archived.tenant_id)) throw createLookupNotFound('order')
  const { order_id, tenant_id, mode, customer_id } = archived
  const view = {
    id: order_id,
    merchantName: merchants.name(tenant_id),
    mode,
    customer: { id: customer_id, href: toCustomerPath(tenant_id, mode, customer_id) },
  }
  return { template: 'order-archived', title: `Order ${order_id}`, view }
}
