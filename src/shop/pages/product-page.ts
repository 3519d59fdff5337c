import { html, nothing } from 'lit-html'
import { type PriceInfo, type ProductDetail, type ReferenceKind, sectionError } from '../../client/browser.ts'
import { account, catalog, findOpenCart, shopper } from './api-and-account.ts'
import { type PageRequest, reload } from './navigation.ts'
import { announce, form, sectionNotices } from './notices-and-forms.ts'
import { formatPrice, picture, priceText, productCard, productPath, stockBadge, terms } from './page-parts.ts'

const referenceNames: Readonly<Record<ReferenceKind, string>> = {
  OEM: 'Vehicle maker’s number',
  CROSS: 'Equivalent',
  SUPERSEDES: 'Replaces',
  SUPERSEDED_BY: 'Replaced by',
  CUSTOMER: 'Your number',
}

/** One product. Each section may be missing, and the page stands without it. */
export async function showProduct({ parts: [sku = ''] }: PageRequest) {
  const product = await catalog().getProduct({ sku })
  const { name, brand, price, errors, superseded_by, description, cover } = product
  const priceError = sectionError(product, 'price')
  // There are no carts without a shopper.
  const signIn = html`<a class="primary button" href="/shop/sign-in?sku=${encodeURIComponent(sku)}">Sign in to buy</a>`
  const cards = product.alternatives?.map((one) => productCard(one, priceError)) ?? []
  return html`
    ${sectionNotices(errors)}
    <div class="product">
      ${picture(cover?.large_url, name, 560, 'eager')}
      <div>
        <p class="soft">${brand && html`<a href="/shop?brand=${encodeURIComponent(brand)}">${brand}</a>`} ${sku}</p>
        <h1>${name}</h1>
        ${superseded_by && html`<p class="notice">Replaced by <a href=${productPath(superseded_by)}>${superseded_by}</a></p>`}
        <p class="prices large">${priceText(price, priceError)}</p>
        ${price && priceTerms(price)}
        <p>${stockBadge(sku, product.availability)}</p>
        ${account.isSignedIn ? buyForm(product) : html`<p>${signIn}</p>`}
        ${description && html`<p>${description}</p>`}
        ${numbers(product)}
      </div>
    </div>
    ${cards.length > 0 ? html`<h2>Alternatives</h2><div class="cards">${cards}</div>` : nothing}`
}

function priceTerms({ breaks, currency, uom, tax_included }: PriceInfo) {
  const rows = breaks.map(
    ({ min_quantity, amount }) => html`
    <tr><th scope="row">From ${min_quantity} ${uom}</th><td>${formatPrice({ amount, currency })}</td></tr>`,
  )
  const table = html`<table class="breaks"><caption class="unseen">Prices by quantity</caption><tbody>${rows}</tbody></table>`
  return html`<p class="soft">${tax_included ? 'with' : 'without'} tax, per ${uom}</p>${rows.length > 0 ? table : nothing}`
}

function buyForm({ sku, name, uom }: ProductDetail) {
  const add = async ({ quantity }: { quantity?: string }) => {
    const { cart_id } = (await findOpenCart()) ?? (await shopper.createCart())
    await shopper.addCartLine({ cart_id, body: { sku, quantity: Number(quantity) } })
    announce(`${name} is in your cart`)
    reload()
  }
  const content = html`
    <label class="field">Quantity (${uom}) <input type="number" name="quantity" id="quantity" min="1" value="1" required></label>
    <button class="primary">Add to cart</button>`
  return form(add, content, 'buy')
}

function numbers({ mpn, barcode, references }: ProductDetail) {
  const rows = references?.map(({ kind, brand, number }) => [referenceNames[kind], `${brand ?? ''} ${number}`] as const)
  return html`<dl>${terms([['Manufacturer’s number', mpn], ['Barcode', barcode], ...(rows ?? [])])}</dl>`
}
