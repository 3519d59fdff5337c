import {
  countSignIns,
  findShopperAccount,
  listCustomerAccounts,
  listCustomerCarts,
  listCustomerOrders,
  type ShopperAccountFacts,
} from '../../../storage/commerce/operator-customer-queries.ts'
import type { ConsolePage, TemplateResponse } from '../../console-page.ts'
import { toCartPath, toCustomerPath, toOrderPath, toShopperPath } from '../../page-paths.ts'
import { describeOrderStatus } from '../../text/order-status-text.ts'
import { callAboutSystem } from '../../whom-to-call.ts'
import { toCartPill } from './cart-pill.ts'
import type { LookupPageParts } from './lookup-page-dependencies.ts'
import { createLookupNotFound, isServedTenant, requireServedTenant } from './served-tenant.ts'

const MAX_ROWS = 20
const MAX_CUSTOMER_ID_LENGTH = 200
/** The store is not queried with other ids: PostgreSQL rejects some texts. */
const SHOPPER_ID = /^shp_[0-9A-Za-z]{22}$/

/** Creates the page of a customer, with accounts, orders and carts, and the page of a shopper's account. Neither shows an email address. */
export function createCustomerPages(parts: LookupPageParts): ConsolePage[] {
  const { db, merchants, now } = parts

  const customerPage: ConsolePage = {
    method: 'GET',
    path: '/customers/:merchant/:mode/:id',
    role: 'support',
    async respond({ params }): Promise<TemplateResponse> {
      const tenant = requireServedTenant(merchants, params)
      const customer = { ...tenant, customer_id: params.id!.slice(0, MAX_CUSTOMER_ID_LENGTH) }
      const [accounts, orders, carts] = await Promise.all([
        listCustomerAccounts(db, customer),
        listCustomerOrders(db, customer, MAX_ROWS),
        listCustomerCarts(db, customer, MAX_ROWS),
      ])
      const toTime = (at: string) => merchants.time(at, tenant.merchant)
      const view = {
        id: customer.customer_id,
        merchantName: merchants.name(tenant.merchant),
        mode: tenant.mode,
        whom: callAboutSystem(merchants, tenant, 'accounting'),
        maxRows: MAX_ROWS,
        isUnknown: accounts.length + orders.length + carts.length === 0,
        accounts: await Promise.all(accounts.map((account) => readAccountView(parts, account))),
        orders: orders.map(({ order_id, order_number, status, created_at }) => ({
          id: order_id,
          href: toOrderPath(order_id),
          number: order_number,
          status: describeOrderStatus(status),
          created: toTime(created_at),
        })),
        carts: carts.map((cart) => ({
          id: cart.cart_id,
          href: toCartPath(cart.cart_id),
          pill: toCartPill(cart, now()),
          lineCount: (JSON.parse(cart.lines) as unknown[]).length,
          updated: toTime(cart.updated_at),
        })),
      }
      return { template: 'customer', title: `Customer ${customer.customer_id}`, view }
    },
  }

  const shopperPage: ConsolePage = {
    method: 'GET',
    path: '/shoppers/:id',
    role: 'support',
    async respond({ params }): Promise<TemplateResponse> {
      const id = params.id!
      const account = SHOPPER_ID.test(id) ? await findShopperAccount(db, id) : null
      if (!account || !isServedTenant(merchants, account.tenant_id)) throw createLookupNotFound('shopper account')
      return { template: 'shopper', title: `Shopper account ${id}`, view: await readAccountView(parts, account) }
    },
  }

  return [customerPage, shopperPage]
}

async function readAccountView({ db, merchants, now }: LookupPageParts, account: ShopperAccountFacts) {
  const { shopper_id, tenant_id, mode, customer_id, verified_at, created_at } = account
  const toTime = (at: string) => merchants.time(at, tenant_id)
  return {
    id: shopper_id,
    href: toShopperPath(shopper_id),
    merchantName: merchants.name(tenant_id),
    mode,
    customer: customer_id === null ? null : { id: customer_id, href: toCustomerPath(tenant_id, mode, customer_id) },
    created: toTime(created_at),
    verified: verified_at === null ? null : toTime(verified_at),
    deviceCount: await countSignIns(db, shopper_id, new Date(now()).toISOString()),
  }
}
