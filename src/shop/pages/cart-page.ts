import { html, nothing } from 'lit-html'
import { type Cart, type CartLine, ForecourtError } from '../../client/browser.ts'
import { account, shopper } from './api-and-account.ts'
import { changeLine, readCart } from './cart.ts'
import { formatCode, formatLineTotal, formatPrice } from './format.ts'
import { reload } from './navigation.ts'
import { action, announce, describeError, form, notice, sectionNotices, submitForm } from './notices.ts'
import { stockBadge } from './product-parts.ts'
import { lineList, totalsList, withSummary } from './tables.ts'

export async function showCart() {
  const cart = account.isSignedIn ? await readCart() : null
  if (!cart || cart.lines.length === 0)
    return html`<h1>Cart</h1><p>Your cart is empty. <a href="/shop">Look for parts</a></p>`
  return html`<h1>Cart</h1>${pricedCart(await price(cart))}`
}

/** Money is never old or estimated: without the pricing system, the lines are shown without amounts. */
async function price(cart: Cart): Promise<{ cart: Cart; problem: string | null }> {
  try {
    return { cart: await shopper.priceCart({ cart_id: cart.cart_id }), problem: null }
  } catch (error) {
    if (error instanceof ForecourtError && error.status >= 500) return { cart, problem: describeError(error) }
    throw error
  }
}

const pricedCart = ({ cart, problem }: { cart: Cart; problem: string | null }) => html`
  ${problem && notice(`The totals cannot be calculated right now. ${problem} Your cart is kept.`)}
  ${sectionNotices(cart.errors)}
  ${cart.warnings.map(({ message }) => html`<p class="notice">${message}</p>`)}
  ${withSummary(lineList(cart.lines.map((line) => toShownLine(cart.cart_id, line))), summary(cart))}`

function toShownLine(cart_id: string, { sku, name, thumb_url, quantity, band, ...line }: CartLine) {
  const { line_id, unit_price, discount, line_total } = line
  const change = async (next: number) => {
    await changeLine(cart_id, line_id, next)
    showChange()
  }
  const input = html`
    <input type="number" class="quantity" name="quantity" id="quantity-${sku}" aria-label="Quantity of ${sku}" min="0"
      max="999999" step="any" required value=${quantity} @change=${submitForm}>`
  return {
    sku,
    name,
    thumb_url,
    note: html`
      ${stockBadge(sku, band ? { band, eta: null } : null)}
      ${unit_price && ` · ${formatPrice(unit_price)} each`}
      ${discount && Number(discount.amount) > 0 ? `, ${formatPrice(discount)} off` : nothing}`,
    quantity: form((values) => change(Number(values.quantity)), input),
    amount: html`
      ${line_total ? formatLineTotal(line_total) : 'No price now'}
      ${action('Remove', () => change(0), 'quiet', `Remove ${sku}`)}`,
  }
}

/** Shows the cart again after a change. */
function showChange(): void {
  dispatchEvent(new Event('shop:cart'))
  reload()
}

function summary({ totals, credit, promotions, cart_id }: Cart) {
  const remove = async (code: string) => {
    await shopper.deleteCartPromotion({ cart_id, code })
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
    const { promotions } = await shopper.addCartPromotion({ cart_id, body: { code } })
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
