import type { StoredCartPricing } from '../../../commands/carts/stored-cart-pricing.ts'
import { type CartRecord, isCartId, toCart } from '../../../storage/commerce/carts.ts'
import { findAnyCart } from '../../../storage/commerce/operator-cart-queries.ts'
import type { ConsolePage, TemplateResponse } from '../../console-page.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { toCustomerPath, toOrderPath, toProductPath } from '../../page-paths.ts'
import { formatMoney } from '../../text/format-money.ts'
import { formatNumber } from '../../text/format-numbers.ts'
import { describePromotion } from '../../text/promotion-text.ts'
import { toCartPill } from './cart-pill.ts'
import type { LookupPageParts } from './lookup-page-dependencies.ts'
import { createLookupNotFound, isServedTenant } from './served-tenant.ts'

/** Creates the page of a cart: what is in it, what it cost when it was priced last, and the order that it became. */
export function createCartPage({ db, merchants, now }: LookupPageParts): ConsolePage {
  return {
    method: 'GET',
    path: '/carts/:id',
    role: 'support',
    isLive: true,
    async respond({ params }): Promise<TemplateResponse> {
      const id = params.id!
      const row = isCartId(id) ? await findAnyCart(db, id) : undefined
      if (!row || !isServedTenant(merchants, row.tenant_id)) throw createLookupNotFound('cart')
      return { template: 'cart', title: `Cart ${id}`, view: toCartPageView(toCart(row), merchants, now()) }
    },
  }
}

function toCartPageView(cart: CartRecord, merchants: MerchantDirectory, now: number) {
  const { tenant_id, mode, customer_id, order_id } = cart
  const toTime = (at: string) => merchants.time(at, tenant_id)
  const pricing = cart.pricing as StoredCartPricing | null
  const currency = merchants.currency(tenant_id)
  return {
    id: cart.cart_id,
    merchantName: merchants.name(tenant_id),
    mode,
    pill: toCartPill(cart, now),
    customer: { id: customer_id, href: toCustomerPath(tenant_id, mode, customer_id) },
    order: order_id === null ? null : { id: order_id, href: toOrderPath(order_id) },
    created: toTime(cart.created_at),
    updated: toTime(cart.updated_at),
    expires: toTime(cart.expires_at),
    total: pricing?.totals ? formatMoney(pricing.totals.total, currency) : null,
    pricedAt: pricing && toTime(pricing.priced_at),
    promotions: cart.promotions.map(({ code, description }, at) => ({
      ...{ code, description },
      result: describePromotion(pricing?.promotions[at] ?? null, currency),
    })),
    isPricedBefore: pricing !== null && pricing.version !== cart.version,
    lines: cart.lines.map(({ sku, name, quantity, uom }) => ({
      sku,
      href: toProductPath(tenant_id, mode, sku),
      name,
      quantity: `${formatNumber(Number(quantity))} ${uom}`,
    })),
  }
}
