import {
  type AddressIn,
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
import { type Child, el, field, link } from './dom.ts'
import { countOf, formatPrice } from './format.ts'
import { open } from './navigation.ts'
import { form } from './notices.ts'
import { formatAddress, totalsList, withSummary } from './tables.ts'

const paymentNames: Readonly<Record<PaymentMethod, string>> = {
  CREDIT_TERMS: 'On credit, by invoice',
  CASH_ON_DELIVERY: 'Cash on delivery',
}
const paymentMethods: PaymentMethod[] = ['CREDIT_TERMS', 'CASH_ON_DELIVERY']

export async function showCheckout(): Promise<Child> {
  const found = account.isSignedIn ? await readCart() : null
  if (!found || found.lines.length === 0) return [el('h1', {}, 'Check out'), link('/shop/cart', 'Your cart is empty.')]
  const me = account.me ?? (await callAccount('getMe'))
  const { cart_id } = found
  const { delivery_options } = await callAccount('listDeliveryOptions', { cart_id })
  const deliveries = (delivery_options ?? []).flatMap(toDeliveries)
  const checkout = { cart: found }
  const summary = el('div')
  const price = async (delivery: PriceCartIn = {}) => {
    checkout.cart = await callAccount('priceCart', { cart_id, body: delivery })
    summary.replaceChildren(checkout.cart.totals ? totalsList(checkout.cart.totals) : '')
  }
  await price(deliveries[0]?.choice)
  const outcome = el('div', { role: 'status' })
  return [
    el('h1', {}, 'Check out'),
    withSummary(
      el('div', {}, outcome, checkoutForm(checkout, me, outcome)),
      el('p', {}, `${countOf(found.item_count, 'line')} · `, link('/shop/cart', 'Change')),
      deliveries.length > 0 && deliveryForm(deliveries, price),
      summary,
    ),
  ]
}

function checkoutForm(checkout: { cart: Cart }, me: Me, outcome: HTMLElement): HTMLElement {
  const keys = createAttemptKeys()
  const order = form(
    {},
    async (data) => {
      await assertUnchanged(checkout.cart)
      const body = readOrder(checkout.cart, data)
      const result = await keys.use(JSON.stringify(body), (idempotencyKey) =>
        callAccount('checkout', { body }, { idempotencyKey }),
      )
      dispatchEvent(new Event('shop:cart'))
      if (result.state === 'over_credit_limit') outcome.replaceChildren(...overLimit(result, order))
      else open(`/shop/orders/${result.order_id}?placed`)
    },
    addressFields(me),
    el(
      'fieldset',
      {},
      el('legend', {}, 'Payment'),
      me.payment_methods.map((method, index) =>
        el(
          'label',
          {},
          el('input', { type: 'radio', name: 'payment', id: method, value: method, checked: index === 0 }),
          el('span', {}, paymentNames[method]),
        ),
      ),
    ),
    field('Your order number', 'po_number', { maxlength: 64, autocomplete: 'off' }),
    el('button', { class: 'primary' }, 'Place the order'),
  )
  return order
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
function readOrder({ cart_id, totals, delivery }: Cart, data: FormData): CheckoutIn {
  const text = (name: string) => String(data.get(name) ?? '').trim()
  const shipping_address: AddressIn = { line1: text('line1'), city: text('city'), country: 'JM' }
  const payment_method = paymentMethods.find((method) => method === text('payment')) ?? null
  const address = text('address') ? { shipping_address_id: text('address') } : { shipping_address }
  return {
    cart_id,
    payment_method,
    ...address,
    delivery_option_id: delivery?.delivery_option_id ?? null,
    pickup_place_id: delivery?.pickup_place?.pickup_place_id ?? null,
    expected_total: totals?.total ?? null,
    po_number: text('po_number') || null,
  }
}

function addressFields({ addresses }: Me): HTMLElement {
  const street = [
    field('Street', 'line1', { autocomplete: 'address-line1', required: true }),
    field('City', 'city', { autocomplete: 'address-level2', required: true }),
  ]
  const manual = el(
    'fieldset',
    { hidden: addresses.length > 0, disabled: addresses.length > 0 },
    el('legend', {}, 'New address'),
    street,
  )
  const options = addresses.map((address) => el('option', { value: address.address_id }, formatAddress(address)))
  const select = el(
    'select',
    { name: 'address', id: 'address' },
    options,
    el('option', { value: '' }, 'Another address'),
  )
  select.addEventListener('change', () => {
    manual.hidden = manual.disabled = select.value !== ''
  })
  return el('div', {}, el('label', { class: 'field' }, 'Deliver to', select), manual)
}

/** Nothing was ordered, and the cart is still there: the shopper chooses one of the remedies. */
function overLimit({ shortfall, credit, remedies }: CheckoutResult, order: HTMLFormElement): HTMLElement[] {
  const payCash = () => {
    order.querySelector<HTMLInputElement>('#CASH_ON_DELIVERY')?.click()
    order.requestSubmit()
  }
  return [
    el(
      'section',
      { class: 'notice over-limit' },
      el('h2', {}, 'This order is over your credit limit'),
      el(
        'p',
        {},
        credit?.available_credit && `${formatPrice(credit.available_credit)} of credit is left; `,
        shortfall && `${formatPrice(shortfall)} is missing. `,
        'Nothing was ordered.',
      ),
      el(
        'ul',
        {},
        remedies.includes('REDUCE_ORDER') && el('li', {}, link('/shop/cart', 'Order less')),
        remedies.includes('PAY_BALANCE') &&
          el('li', {}, link('/shop/account', 'Pay open invoices'), ', then order again'),
        remedies.includes('CHOOSE_CASH_ON_DELIVERY') &&
          el('li', {}, el('button', { type: 'button', class: 'quiet', click: payCash }, 'Pay cash on delivery')),
      ),
    ),
  ]
}
