import { type Cart, type CartPromotion, ForecourtError } from '../../client/browser.ts'
import { addMany } from './add-many.ts'
import { account, callAccount, catalog } from './api-and-account.ts'
import { changeLine, describeRefused, mergeGuestCart, readCart, readGuestCart, storeGuestCart } from './cart.ts'
import { announce, type Child, each, el, field, link } from './dom.ts'
import { formatCode, formatLineTotal, formatPrice } from './format.ts'
import { reload } from './navigation.ts'
import { action, describeError, form, notice, sectionNotices } from './notices.ts'
import { stockBadge } from './product-parts.ts'
import { lineList, totalsList, withSummary } from './tables.ts'

const EMPTY: Child = [el('p', { class: 'empty' }, 'Your cart is empty. ', link('/shop', 'Look for parts'))]

export async function showCart(): Promise<Child> {
  return [el('h1', {}, 'Cart'), account.isSignedIn ? [keptLines(), await shopperCart()] : await guestCart(), addMany()]
}

/** The visitor’s lines that the sign-in could not add. */
function keptLines(): Child {
  const lines = readGuestCart()
  if (lines.length === 0) return null
  const addAgain = async () => {
    await mergeGuestCart()
    showChange()
  }
  const discard = () => {
    storeGuestCart([])
    reload()
  }
  return el(
    'section',
    { class: 'notice', 'aria-label': 'Not added' },
    el('p', {}, 'These lines from before you signed in are not in your cart:'),
    el('ul', { class: 'plain' }, each('li', lines.map(describeRefused))),
    action('Add them now', addAgain, { class: 'quiet' }),
    action('Discard them', discard, { class: 'quiet' }),
  )
}

/** Shows the cart again after a change. */
function showChange(): void {
  dispatchEvent(new Event('shop:cart'))
  reload()
}

/** A visitor’s lines, which only this browser knows, at list prices. */
async function guestCart(): Promise<Child> {
  const lines = readGuestCart()
  if (lines.length === 0) return EMPTY
  const products = await catalog.listProducts({ skus: lines.map(({ sku }) => sku) })
  const change = (sku: string, quantity: number) => {
    storeGuestCart(readGuestCart().map((line) => (line.sku === sku ? { sku, quantity } : line)))
    reload()
  }
  const rows = lines.map(({ sku, quantity }) => {
    const product = products.data.find((one) => one.sku === sku)
    const amount = product?.price ? `${formatPrice(product.price)} each` : 'Price unavailable'
    return {
      sku,
      name: product?.name ?? sku,
      thumb_url: product?.cover?.thumb_url ?? null,
      quantity: quantityInput(sku, quantity, (next) => change(sku, next)),
      amount,
    }
  })
  return [
    sectionNotices(products.errors),
    lineList(rows),
    el('p', {}, 'Your own prices, tax and promotions are calculated when you are signed in.'),
    el('a', { class: 'primary button', href: '/shop/sign-in?then=cart' }, 'Sign in to check out'),
  ]
}

/** A quantity of 0 removes the line. Without a quantity, or with a negative one, the browser says what is wrong. */
function quantityInput(id: string, value: number, change: (quantity: number) => unknown): HTMLElement {
  const input = el('input', {
    type: 'number',
    id: `quantity-${id}`,
    'aria-label': `Quantity of ${id}`,
    min: 0,
    max: 999_999,
    step: 'any',
    required: true,
    value,
    class: 'quantity',
  })
  input.addEventListener('change', () => input.reportValidity() && change(input.valueAsNumber))
  return input
}

async function shopperCart(): Promise<Child> {
  const found = await readCart()
  if (!found || found.lines.length === 0) return EMPTY
  const { cart, problem } = await price(found)
  return [
    problem && notice(`The totals cannot be calculated right now. ${problem} Your cart is kept.`),
    sectionNotices(cart.errors),
    cart.warnings.map(({ message }) => el('p', { class: 'notice' }, message)),
    withSummary(cartLines(cart), summary(cart)),
  ]
}

/** Money is never old or estimated: without the pricing system, the lines are shown without amounts. */
async function price(cart: Cart): Promise<{ cart: Cart; problem: string | null }> {
  try {
    return { cart: await callAccount('priceCart', { cart_id: cart.cart_id }), problem: null }
  } catch (error) {
    if (error instanceof ForecourtError && error.status >= 500) return { cart, problem: describeError(error) }
    throw error
  }
}

function cartLines(cart: Cart): HTMLElement {
  const problem = el('p', { class: 'problem', role: 'alert' })
  const change = async (line_id: string, quantity: number) => {
    try {
      await changeLine(cart, line_id, quantity)
      showChange()
    } catch (error) {
      problem.replaceChildren(describeError(error))
    }
  }
  const rows = cart.lines.map(
    ({ line_id, sku, name, thumb_url, quantity, band, unit_price, line_total, discount }) => ({
      sku,
      name,
      thumb_url,
      note: [
        stockBadge(sku, band ? { band, eta: null, orderable: true } : null),
        unit_price && ` · ${formatPrice(unit_price)} each`,
        discount && Number(discount.amount) > 0 && `, ${formatPrice(discount)} off`,
      ],
      quantity: quantityInput(sku, quantity, (next) => change(line_id, next)),
      amount: [
        line_total ? formatLineTotal(line_total) : 'No price now',
        el(
          'button',
          { type: 'button', class: 'quiet', 'aria-label': `Remove ${sku}`, click: () => change(line_id, 0) },
          'Remove',
        ),
      ],
    }),
  )
  return el('div', {}, problem, lineList(rows))
}

function summary(cart: Cart): Child {
  const { totals, credit, promotions, cart_id } = cart
  return [
    totals && totalsList(totals),
    credit?.would_exceed &&
      credit.available_credit &&
      el('p', { class: 'notice' }, `This is more than your credit: ${formatPrice(credit.available_credit)} is left.`),
    promotions.map(({ code, description, discount }) =>
      el(
        'div',
        { class: 'promotion' },
        el('b', {}, code),
        ` ${description ?? ''} `,
        discount && formatPrice(discount),
        action(
          'Remove',
          async () => {
            await callAccount('deleteCartPromotion', { cart_id, code })
            showChange()
          },
          { class: 'quiet', 'aria-label': `Remove ${code}` },
        ),
      ),
    ),
    promotionForm(cart_id),
    totals && el('a', { class: 'primary button', href: '/shop/checkout' }, 'Check out'),
  ]
}

/** A refused code is not kept: its reason is in the response to the form, and only there. */
function promotionForm(cart_id: string): HTMLElement {
  const add = async (data: FormData) => {
    const code = String(data.get('code')).trim().toUpperCase()
    const { promotions } = await callAccount('addCartPromotion', { cart_id, body: { code } })
    const refused = promotions.find((one: CartPromotion) => one.code === code && one.status === 'NOT_APPLICABLE')
    if (refused)
      throw new Error(`${code} does not apply: ${formatCode(refused.reason ?? 'UNKNOWN_CODE').toLowerCase()}.`)
    announce(`${code} is applied`)
    showChange()
  }
  return form(
    { class: 'row' },
    add,
    field('Promotion code', 'code', { required: true, autocomplete: 'off' }),
    el('button', {}, 'Apply'),
  )
}
