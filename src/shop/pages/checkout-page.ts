import { html, render } from 'lit-html'
import type { Cart, CheckoutResult, Me, PaymentMethod } from '../../client/browser.ts'
import { createIdempotencyKey, ForecourtError } from '../../client/browser.ts'
import { account, findOpenCart, shopper } from './api-and-account.ts'
import { countOf, formatAddress, formatPrice } from './formats.ts'
import { totalsList } from './lines-and-totals.ts'
import { open } from './navigation.ts'
import { form } from './notices-and-forms.ts'

const paymentNames = { CREDIT_TERMS: 'On credit, by invoice', CASH_ON_DELIVERY: 'Cash on delivery' }

/** Opens the cart if it has no total, because the cart says why. */
export async function showCheckout() {
  const found = await findOpenCart()
  if (!found?.item_count) return html`<h1>Check out</h1><a href="/shop/cart">Your cart is empty.</a>`
  const me = (await account.me) ?? (await shopper.getMe())
  const cart = await shopper.priceCart({ cart_id: found.cart_id })
  return cart.totals ? checkoutPage(cart, me) : location.replace('/shop/cart')
}

const checkoutPage = (cart: Cart, me: Me) => html`
  <h1>Check out</h1>
  <div class="two">${checkoutForm(cart, me)}<section class="sheet" aria-label="Summary">
    <p>${countOf(cart.item_count, 'line')} · <a href="/shop/cart">Change</a></p> ${cart.totals && totalsList(cart.totals)}</section></div>`

function checkoutForm(cart: Cart, me: Me) {
  const payment = (method: PaymentMethod, index: number) => html`
    <label><input type="radio" name="payment" id=${method} value=${method} ?checked=${index === 0}> <span>${paymentNames[method]}</span></label>`
  const options = me.addresses.map((one) => html`<option value=${one.address_id}>${formatAddress(one)}</option>`)
  const content = html`
    <div id="outcome" tabindex="-1"></div>
    <label class="field">Deliver to <select name="address" id="address">${options}</select></label>
    <fieldset><legend>Payment</legend>${me.payment_methods.map(payment)}</fieldset>
    <label class="field">Purchase order number <input name="po_number" id="po_number" maxlength="64" autocomplete="off"></label>
    <button class="primary">Place the order</button>`
  return form((values, sent) => order(cart, values).catch((error) => showNewTotal(error, cart, me, sent)), content)
}

const keys = new Map<string, string>()
/** Each order has a key of its own until it has a result. Without one, the order may exist: sent again under the key, it is never a second order. */
async function order(cart: Cart, { address = '', payment, po_number = '' }: Record<string, string>): Promise<void> {
  await assertUnchanged(cart)
  const { cart_id, totals } = cart
  const chosen = { payment_method: payment as PaymentMethod, shipping_address_id: address }
  const body = { cart_id, expected_total: totals?.total ?? null, ...chosen, po_number: po_number.trim() || null }
  const attempt = JSON.stringify(body)
  const idempotencyKey = keys.get(attempt) ?? createIdempotencyKey()
  keys.set(attempt, idempotencyKey)
  const result = await shopper.checkout({ body }, { idempotencyKey })
  keys.delete(attempt)
  if (result.state !== 'over_credit_limit') return open(`/shop/orders/${result.order_id}?placed`)
  const outcome = document.querySelector<HTMLElement>('#outcome')!
  render(overLimit(result), outcome)
  outcome.focus()
}

/** Checkout takes no If-Match. A cart that is gone may be the order of an earlier attempt, which its key returns. */
async function assertUnchanged({ cart_id, version }: Cart): Promise<void> {
  const current = await findOpenCart()
  if (current?.cart_id === cart_id && current.version !== version)
    throw new Error('Your cart has changed since you saw it. Nothing was ordered: open your cart and look at it again.')
}

/** The total is not `expected_total`, but higher or lower. The page shows the new one: who orders again accepts it. */
function showNewTotal(error: unknown, { totals: seen }: Cart, me: Me, sent: HTMLFormElement): never {
  const cart = error instanceof ForecourtError ? error.cart : null
  const now = cart?.totals?.total
  if (!now || !seen || now.amount === seen.total.amount) throw error
  render(checkoutPage(cart, me), sent.closest<HTMLElement>('main > div') ?? document.createElement('div'))
  const change = `The total is now ${formatPrice(now)}, not ${formatPrice(seen.total)}.`
  throw new Error(`${change} Nothing was ordered: place the order again to accept the new total.`)
}

/** Nothing was ordered, and the cart is still there: the shopper chooses one of the remedies. */
function overLimit({ shortfall, credit, remedies }: CheckoutResult) {
  const chooseCash = () => document.querySelector<HTMLInputElement>('#CASH_ON_DELIVERY')?.click()
  const ways = {
    REDUCE_ORDER: html`<a href="/shop/cart">Order less</a>`,
    PAY_BALANCE: html`<a href="/shop/account">Pay open invoices</a>, then order again`,
    CHOOSE_CASH_ON_DELIVERY: html`<button class="quiet" @click=${chooseCash}>Pay cash on delivery</button>`,
  }
  return html`
    <section class="notice over-limit"> <h2>This order is over your credit limit</h2>
      <p>${credit?.available_credit && `${formatPrice(credit.available_credit)} of credit is left; `}${shortfall && `${formatPrice(shortfall)} is missing. `} Nothing was ordered.</p>
      <ul>${remedies.map((remedy) => html`<li>${ways[remedy]}</li>`)}</ul>
    </section>`
}
