import { html, nothing, render } from 'lit-html'
import {
  type Cart,
  type CheckoutIn,
  type CheckoutResult,
  ForecourtError,
  type Me,
  type PaymentMethod,
  type PriceCartIn,
} from '../../client/browser.ts'
import { account, callAccount } from './api-and-account.ts'
import { readCart } from './cart.ts'
import { deliveryForm, toDeliveries } from './delivery-form.ts'
import { countOf, formatPrice } from './format.ts'
import { open } from './navigation.ts'
import { type ControlEvent, form } from './notices.ts'
import { formatAddress, totalsList, withSummary } from './tables.ts'

const paymentNames: Readonly<Record<PaymentMethod, string>> = {
  CREDIT_TERMS: 'On credit, by invoice',
  CASH_ON_DELIVERY: 'Cash on delivery',
}
const paymentMethods: PaymentMethod[] = ['CREDIT_TERMS', 'CASH_ON_DELIVERY']

export async function showCheckout() {
  const found = account.isSignedIn ? await readCart() : null
  if (!found || found.lines.length === 0) return html`<h1>Check out</h1><a href="/shop/cart">Your cart is empty.</a>`
  const me = account.me ?? (await callAccount('getMe'))
  const { cart_id, item_count } = found
  const { delivery_options } = await callAccount('listDeliveryOptions', { cart_id })
  const deliveries = (delivery_options ?? []).flatMap(toDeliveries)
  const checkout = { cart: found }
  const totals = document.createElement('div')
  const price = async (delivery: PriceCartIn = {}) => {
    checkout.cart = await callAccount('priceCart', { cart_id, body: delivery })
    render(checkout.cart.totals && totalsList(checkout.cart.totals), totals)
  }
  await price(deliveries[0]?.choice)
  const summary = html`
    <p>${countOf(item_count, 'line')} · <a href="/shop/cart">Change</a></p>
    ${deliveries.length > 0 ? deliveryForm(deliveries, price) : nothing}
    ${totals}`
  return html`<h1>Check out</h1>${withSummary(checkoutForm(checkout, me), summary)}`
}

function checkoutForm(checkout: { cart: Cart }, me: Me) {
  const keys = createAttemptKeys()
  const outcome = document.createElement('div')
  outcome.role = 'status'
  const order = async (values: Record<string, string>) => {
    await assertUnchanged(checkout.cart)
    const body = toOrder(checkout.cart, values)
    const result = await keys.use(JSON.stringify(body), (idempotencyKey) =>
      callAccount('checkout', { body }, { idempotencyKey }),
    )
    dispatchEvent(new Event('shop:cart'))
    if (result.state === 'over_credit_limit') render(overLimit(result), outcome)
    else open(`/shop/orders/${result.order_id}?placed`)
  }
  const payments = me.payment_methods.map(
    (method, index) => html`
    <label>
      <input type="radio" name="payment" id=${method} value=${method} ?checked=${index === 0}>
      <span>${paymentNames[method]}</span>
    </label>`,
  )
  const content = html`
    ${outcome}
    ${addressFields(me)}
    <fieldset><legend>Payment</legend>${payments}</fieldset>
    <label class="field">Your order number <input name="po_number" id="po_number" maxlength="64" autocomplete="off"></label>
    <button class="primary">Place the order</button>`
  return form(order, content)
}

/**
 * Keeps one Idempotency-Key for each order that was tried, until there is an answer to it. When none arrives, the order may exist: sending it
 * again with the same key returns it, and never orders twice.
 */
function createAttemptKeys() {
  const keys = new Map<string, string>()
  return {
    async use<Result>(order: string, send: (key: string) => Promise<Result>): Promise<Result> {
      const key = keys.get(order) ?? crypto.randomUUID()
      keys.set(order, key)
      try {
        const result = await send(key)
        keys.delete(order)
        return result
      } catch (error) {
        if (error instanceof ForecourtError && error.status >= 400 && error.status < 500) keys.delete(order)
        throw error
      }
    },
  }
}

/** Checkout takes no If-Match. A cart that is gone may be the order of an earlier attempt, which its key returns. */
async function assertUnchanged({ cart_id, version }: Cart): Promise<void> {
  const current = await readCart()
  if (current?.cart_id === cart_id && current.version !== version)
    throw new Error('Your cart has changed since you saw it. Nothing was ordered: open your cart and look at it again.')
}

/** `expected_total`: if the total has risen since it was shown, nothing is ordered. */
function toOrder({ cart_id, totals, delivery }: Cart, values: Record<string, string>): CheckoutIn {
  const { address, line1 = '', city = '', payment, po_number = '' } = values
  const shipping_address = { line1: line1.trim(), city: city.trim(), country: 'JM' }
  return {
    cart_id,
    payment_method: paymentMethods.find((method) => method === payment) ?? null,
    ...(address ? { shipping_address_id: address } : { shipping_address }),
    delivery_option_id: delivery?.delivery_option_id ?? null,
    pickup_place_id: delivery?.pickup_place?.pickup_place_id ?? null,
    expected_total: totals?.total ?? null,
    po_number: po_number.trim() || null,
  }
}

function addressFields({ addresses }: Me) {
  const isKnown = addresses.length > 0
  const change = ({ currentTarget: select }: ControlEvent<HTMLSelectElement>) => {
    const manual = document.querySelector<HTMLFieldSetElement>('#new-address')
    if (manual) manual.hidden = manual.disabled = select.value !== ''
  }
  // “Another address” exists first, and browsers choose the first option.
  const options = addresses.map((address, index) => {
    return html`<option value=${address.address_id} ?selected=${index === 0}>${formatAddress(address)}</option>`
  })
  return html`
    <label class="field">
      Deliver to
      <select name="address" id="address" @change=${change}>
        ${options}
        <option value="">Another address</option>
      </select>
    </label>
    <fieldset id="new-address" ?hidden=${isKnown} ?disabled=${isKnown}>
      <legend>New address</legend>
      <label class="field">Street <input name="line1" id="line1" autocomplete="address-line1" required></label>
      <label class="field">City <input name="city" id="city" autocomplete="address-level2" required></label>
    </fieldset>`
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
