import { html, render } from 'lit-html'
import {
  type Cart,
  type CheckoutIn,
  type CheckoutResult,
  ForecourtError,
  type Me,
  type PaymentMethod,
} from '../../client/browser.ts'
import { account, shopper } from './api-and-account.ts'
import { readCart } from './cart.ts'
import { countOf, formatPrice } from './format.ts'
import { open } from './navigation.ts'
import { form } from './notices.ts'
import { formatAddress, totalsList, withSummary } from './tables.ts'

const paymentNames: Readonly<Record<PaymentMethod, string>> = {
  CREDIT_TERMS: 'On credit, by invoice',
  CASH_ON_DELIVERY: 'Cash on delivery',
}

export async function showCheckout() {
  const found = account.isSignedIn ? await readCart() : null
  if (!found || found.lines.length === 0) return html`<h1>Check out</h1><a href="/shop/cart">Your cart is empty.</a>`
  const me = account.me ?? (await shopper.getMe())
  const cart = await shopper.priceCart({ cart_id: found.cart_id })
  const summary = html`
    <p>${countOf(cart.item_count, 'line')} · <a href="/shop/cart">Change</a></p>
    ${cart.totals && totalsList(cart.totals)}`
  return html`<h1>Check out</h1>${withSummary(checkoutForm(cart, me), summary)}`
}

function checkoutForm(cart: Cart, { addresses, payment_methods }: Me) {
  const send = createSender()
  const outcome = document.createElement('div')
  outcome.role = 'status'
  const order = async (values: Record<string, string>) => {
    await assertUnchanged(cart)
    const result = await send(toOrder(cart, values))
    dispatchEvent(new Event('shop:cart'))
    if (result.state === 'over_credit_limit') render(overLimit(result), outcome)
    else open(`/shop/orders/${result.order_id}?placed`)
  }
  const payments = payment_methods.map(
    (method, index) => html`
    <label>
      <input type="radio" name="payment" id=${method} value=${method} ?checked=${index === 0}>
      <span>${paymentNames[method]}</span>
    </label>`,
  )
  const options = addresses.map((address) => {
    return html`<option value=${address.address_id}>${formatAddress(address)}</option>`
  })
  const content = html`
    ${outcome}
    <label class="field">Deliver to <select name="address" id="address">${options}</select></label>
    <fieldset><legend>Payment</legend>${payments}</fieldset>
    <label class="field">Your order number <input name="po_number" id="po_number" maxlength="64" autocomplete="off"></label>
    <button class="primary">Place the order</button>`
  return form(order, content)
}

/**
 * Sends an order with an Idempotency-Key of its own. Without a response, the order may exist: when the same order is sent again, it has the same key,
 * so that Forecourt returns the first one and never orders twice.
 */
function createSender() {
  const keys = new Map<string, string>()
  return async (body: CheckoutIn): Promise<CheckoutResult> => {
    const order = JSON.stringify(body)
    const idempotencyKey = keys.get(order) ?? crypto.randomUUID()
    keys.set(order, idempotencyKey)
    try {
      const result = await shopper.checkout({ body }, { idempotencyKey })
      keys.delete(order)
      return result
    } catch (error) {
      if (error instanceof ForecourtError && error.status >= 400 && error.status < 500) keys.delete(order)
      throw error
    }
  }
}

/** Checkout takes no If-Match. A cart that is gone may be the order of an earlier attempt, which its key returns. */
async function assertUnchanged({ cart_id, version }: Cart): Promise<void> {
  const current = await readCart()
  if (current?.cart_id === cart_id && current.version !== version)
    throw new Error('Your cart has changed since you saw it. Nothing was ordered: open your cart and look at it again.')
}

/** `expected_total`: if the total has risen since it was shown, nothing is ordered. */
function toOrder(
  { cart_id, totals }: Cart,
  { address = '', payment, po_number = '' }: Record<string, string>,
): CheckoutIn {
  return {
    cart_id,
    payment_method: payment === 'CREDIT_TERMS' ? 'CREDIT_TERMS' : 'CASH_ON_DELIVERY',
    shipping_address_id: address,
    expected_total: totals?.total ?? null,
    po_number: po_number.trim() || null,
  }
}

/** Nothing was ordered, and the cart is still there: the shopper chooses one of the remedies. */
function overLimit({ shortfall, credit, remedies }: CheckoutResult) {
  const left = credit?.available_credit
  const chooseCash = () => document.querySelector<HTMLInputElement>('#CASH_ON_DELIVERY')?.click()
  const ways = [
    remedies.includes('REDUCE_ORDER') && html`<a href="/shop/cart">Order less</a>`,
    remedies.includes('PAY_BALANCE') && html`<a href="/shop/account">Pay open invoices</a>, then order again`,
    remedies.includes('CHOOSE_CASH_ON_DELIVERY') &&
      html`<button class="quiet" @click=${chooseCash}>Pay cash on delivery</button>`,
  ]
  return html`
    <section class="notice over-limit">
      <h2>This order is over your credit limit</h2>
      <p>
        ${left && `${formatPrice(left)} of credit is left; `}${shortfall && `${formatPrice(shortfall)} is missing. `}
        Nothing was ordered.
      </p>
      <ul>${ways.filter(Boolean).map((way) => html`<li>${way}</li>`)}</ul>
    </section>`
}
