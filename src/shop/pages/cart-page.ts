import { html, nothing } from 'lit-html'
import { type Cart, type CartLine, type CartPromotion, ForecourtError } from '../../client/browser.ts'
import { findOpenCart, shopper } from './api-and-account.ts'
import { formatCode, formatPrice } from './formats.ts'
import { lineTable, totalsList } from './lines-and-totals.ts'
import { reload } from './navigation.ts'
import { action, announce, describeError, form, notice, sectionNotices } from './notices-and-forms.ts'
import { stockBadge } from './product-parts.ts'

export async function showCart() {
  const found = await findOpenCart()
  if (!found?.item_count) return html`<h1>Cart</h1><p>Your cart is empty. <a href="/shop">Look for parts</a></p>`
  const { cart, problem, noTotal } = await price(found.cart_id)
  const lines = cart.lines.map((line) => ({ ...toShownLine(cart.cart_id, line), noTotal }))
  const names = new Map(cart.lines.map(({ line_id, name }) => [line_id, `${name}: `]))
  return html`
    <h1>Cart</h1>
    ${problem} ${sectionNotices(cart.errors)}
    ${cart.warnings.map(({ line_id, message }) => html`<p class="notice">${names.get(line_id ?? '')}${message}</p>`)}
    ${lineTable(lines, summary(cart))}`
}

/** Money is never old or estimated: when the cart cannot be priced, its lines are shown without amounts. A product without a price is no failure. */
async function price(cart_id: string) {
  try {
    const cart = await shopper.priceCart({ cart_id })
    const advice = html`<p class="notice">To order, remove what has no price, or ask us for one.</p>`
    return { cart, problem: cart.totals ? nothing : advice, noTotal: 'No price: ask us' }
  } catch (error) {
    if (!(error instanceof ForecourtError) || error.status < 500) throw error
    const read = await shopper.getCart({ cart_id })
    const lines = read.lines.map((line) => ({ ...line, unit_price: null, discount: null, line_total: null }))
    const cart: Cart = { ...read, lines, promotions: [], totals: null, credit: null }
    const text = `The totals cannot be calculated right now. ${describeError(error)} Your cart is kept.`
    return { cart, problem: notice(text), noTotal: 'No price now' }
  }
}

function toShownLine(cart_id: string, line: CartLine) {
  const { line_id, sku, name, band, unit_price, uom, discount } = line
  const change = async (quantity: number) => {
    if (quantity > 0) await shopper.updateCartLine({ cart_id, line_id, body: { quantity } })
    else await shopper.deleteCartLine({ cart_id, line_id }).then(() => announce(`${name} is removed`))
    reload()
  }
  const changeTo = ({ quantity }: Record<string, string>, element: HTMLFormElement) =>
    change(Number(quantity)).catch((error) => {
      // The field has the quantity of the cart again, unless another one has been typed since.
      if (new FormData(element).get('quantity') === quantity) element.reset()
      throw error
    })
  // The browser says what is wrong with a quantity.
  const submit = ({ currentTarget }: Event) => (currentTarget as HTMLInputElement).form?.requestSubmit()
  const input = html`
    <input type="number" class="quantity" name="quantity" id="quantity-${sku}" aria-label="Quantity of ${sku}" min="0"
      max="999999" step="any" required value=${line.quantity} @change=${submit}>`
  return {
    ...line,
    note: html`
      ${stockBadge(sku, band ? { band, eta: null } : null)}
      ${unit_price && ` · ${formatPrice(unit_price)} per ${uom}`}
      ${discount && Number(discount.amount) > 0 ? `, ${formatPrice(discount)} off` : nothing}`,
    quantity: form(changeTo, input),
    removal: action('Remove', () => change(0), 'quiet', `Remove ${sku}`),
  }
}

function summary({ totals, credit, promotions, cart_id }: Cart) {
  const remove = (code: string) => shopper.deleteCartPromotion({ cart_id, code }).then(reload)
  const left = credit?.would_exceed ? credit.available_credit : null
  const promotionItem = ({ code, description, discount }: CartPromotion) => html`
    <div><b>${code}</b> ${description} ${discount && formatPrice(discount)}
      ${action('Remove', () => remove(code), 'quiet', `Remove ${code}`)}</div>`
  return html`
    ${totals && totalsList(totals)}
    ${left && html`<p class="notice">This is more than your credit: ${formatPrice(left)} is left.</p>`}
    ${promotions.map(promotionItem)} ${promotionForm(cart_id)}
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
    reload()
  }
  const content = html`
    <label class="field">Promotion code <input name="code" id="code" required autocomplete="off"></label>
    <button>Apply</button>`
  return form(add, content, 'row')
}
