import { type Cart, type CartPromotion, ForecourtError } from '../../client/browser.ts'
import { addToCart, type GuestLine, readCart, readGuestCart, storeGuestCart } from './cart.ts'
import { announce, type Child, el, field, link } from './dom.ts'
import { account, callAccount, catalog } from './forecourt.ts'
import { formatCode, formatPrice } from './format.ts'
import { reload } from './navigation.ts'
import { action, describeError, form, notice, sectionNotices } from './notices.ts'
import { stockBadge } from './product-parts.ts'
import { lineList, totalsList } from './tables.ts'

const EMPTY: Child = [el('p', { class: 'empty' }, 'Your cart is empty. ', link('/shop', 'Look for parts'))]

export async function showCart(): Promise<Child> {
  return [el('h1', {}, 'Cart'), account.isSignedIn ? await shopperCart() : await guestCart(), addMany()]
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
    storeGuestCart(lines.map((line) => (line.sku === sku ? { sku, quantity } : line)))
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

/** A quantity of 0 removes the line. */
function quantityInput(id: string, value: number, change: (quantity: number) => unknown): HTMLElement {
  const input = el('input', {
    type: 'number',
    id: `quantity-${id}`,
    'aria-label': `Quantity of ${id}`,
    min: 0,
    value,
    class: 'quantity',
  })
  input.addEventListener('change', () => change(input.valueAsNumber || 0))
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
    el('div', { class: 'two' }, cartLines(cart), summary(cart)),
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

function cartLines({ cart_id, version, lines }: Cart): HTMLElement {
  const problem = el('p', { class: 'problem', role: 'alert' })
  const change = async (line_id: string, quantity: number) => {
    try {
      if (quantity > 0)
        await callAccount('updateCartLine', { cart_id, line_id, body: { quantity } }, { ifMatch: version })
      else await callAccount('deleteCartLine', { cart_id, line_id }, { ifMatch: version })
      showChange()
    } catch (error) {
      problem.replaceChildren(describeError(error))
    }
  }
  const rows = lines.map(({ line_id, sku, name, thumb_url, quantity, band, unit_price, line_total, discount }) => ({
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
      line_total ? formatPrice(line_total) : 'No price now',
      el(
        'button',
        { type: 'button', class: 'quiet', 'aria-label': `Remove ${sku}`, click: () => change(line_id, 0) },
        'Remove',
      ),
    ],
  }))
  return el('div', {}, problem, lineList(rows))
}

function summary(cart: Cart): HTMLElement {
  const { totals, credit, promotions, cart_id } = cart
  return el(
    'section',
    { class: 'sheet', 'aria-label': 'Summary' },
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
  )
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

/** Many lines in one change of the cart. Those that cannot be added are named; the others are. */
function addMany(): HTMLElement {
  const text = el('textarea', { name: 'lines', id: 'lines', rows: 4, placeholder: 'OL-1001 12\nBP-1001 2' })
  const refused = el('ul', { class: 'problem' })
  const add = async () => {
    const lines: GuestLine[] = text.value
      .split('\n')
      .map((line) => line.trim().split(/[\s,;]+/))
      .filter(([sku]) => sku)
      .map(([sku = '', quantity = '1']) => ({ sku, quantity: Number(quantity) }))
    const mistakes = await addToCart(lines)
    refused.replaceChildren(...mistakes.map((mistake) => el('li', {}, mistake)))
    if (mistakes.length === 0) reload()
  }
  return el(
    'details',
    { class: 'many' },
    el('summary', {}, 'Add many lines at once'),
    form(
      {},
      add,
      el('label', { class: 'field' }, 'A part number and a quantity on each line', text),
      el('button', {}, 'Add all'),
    ),
    refused,
  )
}
