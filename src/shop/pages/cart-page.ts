import { html, nothing } from 'lit-html'
import { type Cart, ForecourtError } from '../../client/browser.ts'
import { addMany } from './add-many.ts'
import { account, callAccount, catalog } from './api-and-account.ts'
import { changeLine, describeRefused, mergeGuestCart, readCart, readGuestCart, storeGuestCart } from './cart.ts'
import { formatCode, formatLineTotal, formatPrice } from './format.ts'
import { reload } from './navigation.ts'
import { action, announce, type ControlEvent, describeError, form, notice, sectionNotices } from './notices.ts'
import { stockBadge } from './product-parts.ts'
import { lineList, totalsList, withSummary } from './tables.ts'

const emptyCart = html`<p>Your cart is empty. <a href="/shop">Look for parts</a></p>`

export async function showCart() {
  const lines = account.isSignedIn ? [keptLines(), await shopperCart()] : await guestCart()
  return html`<h1>Cart</h1>${lines}${addMany()}`
}

/** The visitor’s lines that the sign-in could not add. */
function keptLines() {
  const lines = readGuestCart()
  if (lines.length === 0) return nothing
  const addAgain = async () => {
    await mergeGuestCart()
    showChange()
  }
  const discard = () => {
    storeGuestCart([])
    reload()
  }
  return html`
    <section class="notice" aria-label="Not added">
      <p>These lines from before you signed in are not in your cart:</p>
      <ul class="plain">${lines.map((line) => html`<li>${describeRefused(line)}</li>`)}</ul>
      ${action('Add them now', addAgain, 'quiet')} ${action('Discard them', discard, 'quiet')}
    </section>`
}

/** Shows the cart again after a change. */
function showChange(): void {
  dispatchEvent(new Event('shop:cart'))
  reload()
}

/** A visitor’s lines, which only this browser knows, at list prices. */
async function guestCart() {
  const lines = readGuestCart()
  if (lines.length === 0) return emptyCart
  const products = await catalog.listProducts({ skus: lines.map(({ sku }) => sku) })
  const change = (sku: string, quantity: number) => {
    storeGuestCart(readGuestCart().map((line) => (line.sku === sku ? { sku, quantity } : line)))
    reload()
  }
  const rows = lines.map(({ sku, quantity }) => {
    const { name = sku, cover, price } = products.data.find((one) => one.sku === sku) ?? {}
    return {
      sku,
      name,
      thumb_url: cover?.thumb_url ?? null,
      quantity: quantityInput(sku, quantity, (next) => change(sku, next)),
      amount: price ? `${formatPrice(price)} each` : 'Price unavailable',
    }
  })
  return html`
    ${sectionNotices(products.errors)}
    ${lineList(rows)}
    <p>Your own prices, tax and promotions are calculated when you are signed in.</p>
    <a class="primary button" href="/shop/sign-in?then=cart">Sign in to check out</a>`
}

/** A quantity of 0 removes the line. Without a quantity, or with a negative one, the browser says what is wrong. */
function quantityInput(sku: string, quantity: number | string, change: (quantity: number) => unknown) {
  const check = ({ currentTarget: input }: ControlEvent<HTMLInputElement>) =>
    input.reportValidity() && change(input.valueAsNumber)
  return html`
    <input type="number" class="quantity" id="quantity-${sku}" aria-label="Quantity of ${sku}" min="0" max="999999"
      step="any" required value=${quantity} @change=${check}>`
}

async function shopperCart() {
  const found = await readCart()
  if (!found || found.lines.length === 0) return emptyCart
  const { cart, problem } = await price(found)
  return html`
    ${problem && notice(`The totals cannot be calculated right now. ${problem} Your cart is kept.`)}
    ${sectionNotices(cart.errors)}
    ${cart.warnings.map(({ message }) => html`<p class="notice">${message}</p>`)}
    ${withSummary(cartLines(cart), summary(cart))}`
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

function cartLines(cart: Cart) {
  const change = async (line_id: string, quantity: number) => {
    try {
      await changeLine(cart, line_id, quantity)
      showChange()
    } catch (error) {
      document.querySelector('#line-problem')?.replaceChildren(describeError(error))
    }
  }
  const rows = cart.lines.map(({ line_id, quantity, band, unit_price, line_total, discount, ...line }) => {
    const isReduced = discount && Number(discount.amount) > 0
    return {
      ...line,
      note: html`
        ${stockBadge(line.sku, band ? { band, eta: null } : null)}
        ${unit_price && ` · ${formatPrice(unit_price)} each`}${isReduced ? `, ${formatPrice(discount)} off` : nothing}`,
      quantity: quantityInput(line.sku, quantity, (next) => change(line_id, next)),
      amount: html`
        ${line_total ? formatLineTotal(line_total) : 'No price now'}
        <button type="button" class="quiet" aria-label="Remove ${line.sku}" @click=${() => change(line_id, 0)}>Remove</button>`,
    }
  })
  return html`<div><p class="problem" role="alert" id="line-problem"></p>${lineList(rows)}</div>`
}

function summary({ totals, credit, promotions, cart_id }: Cart) {
  const remove = async (code: string) => {
    await callAccount('deleteCartPromotion', { cart_id, code })
    showChange()
  }
  const left = credit?.would_exceed ? credit.available_credit : null
  return html`
    ${totals && totalsList(totals)}
    ${left && html`<p class="notice">This is more than your credit: ${formatPrice(left)} is left.</p>`}
    ${promotions.map(
      ({ code, description, discount }) => html`
      <div>
        <b>${code}</b> ${description} ${discount && formatPrice(discount)}
        ${action('Remove', () => remove(code), 'quiet', `Remove ${code}`)}
      </div>`,
    )}
    ${promotionForm(cart_id)}
    ${totals && html`<a class="primary button" href="/shop/checkout">Check out</a>`}`
}

/** A refused code is not kept: its reason is in the response to the form, and only there. */
function promotionForm(cart_id: string) {
  const add = async (values: Record<string, string>) => {
    const code = (values.code ?? '').trim().toUpperCase()
    const { promotions } = await callAccount('addCartPromotion', { cart_id, body: { code } })
    const refused = promotions.find((one) => one.code === code && one.status === 'NOT_APPLICABLE')
    if (refused)
      throw new Error(`${code} does not apply: ${formatCode(refused.reason ?? 'UNKNOWN_CODE').toLowerCase()}.`)
    announce(`${code} is applied`)
    showChange()
  }
  const content = html`
    <label class="field">Promotion code <input name="code" id="code" required autocomplete="off"></label>
    <button>Apply</button>`
  return form(add, content, 'row')
}
