import { html, nothing } from 'lit-html'
import {
  type AlternativeRelation,
  type PriceInfo,
  type ProductDetail,
  type ReferenceKind,
  sectionError,
} from '../../client/browser.ts'
import { catalog } from './api-and-account.ts'
import { addToCart } from './cart.ts'
import { formatPrice } from './format.ts'
import type { PageRequest } from './navigation.ts'
import { announce, type ControlEvent, form, sectionNotices } from './notices.ts'
import { picture, priceText, productCard, productPath, stockBadge, terms } from './product-parts.ts'

const referenceNames: Readonly<Record<ReferenceKind, string>> = {
  OEM: 'Vehicle maker’s number',
  CROSS: 'Equivalent',
  SUPERSEDES: 'Replaces',
  SUPERSEDED_BY: 'Replaced by',
  CUSTOMER: 'Your number',
}

const relationNames: Readonly<Record<AlternativeRelation, string>> = {
  SUPERSEDED_BY: 'Replaces it',
  OEM: 'Same vehicle maker’s number',
  CROSS: 'Equivalent',
}

/** One product. Each section may be missing, and the page stands without it. */
export async function showProduct({ parts: [sku = ''] }: PageRequest) {
  const product = await catalog.getProduct({ sku })
  const { name, brand, price, errors, superseded_by, description } = product
  const priceError = sectionError(product, 'price')
  const cards = product.alternatives?.map((one) => productCard(one, priceError, relationNames[one.relation])) ?? []
  return html`
    ${sectionNotices(errors)}
    <div class="product">
      ${gallery(product)}
      <div>
        <p class="soft">${brand && html`<a href="/shop?brand=${encodeURIComponent(brand)}">${brand}</a>`} ${sku}</p>
        <h1>${name}</h1>
        ${superseded_by && html`<p class="notice">Replaced by <a href=${productPath(superseded_by)}>${superseded_by}</a></p>`}
        <p class="prices large">${priceText(price, priceError)}</p>
        ${price && priceTerms(price)}
        <p>${stockBadge(sku, product.availability)}</p>
        ${buyForm(product)}
        ${description && html`<p>${description}</p>`}
        ${numbers(product)}
      </div>
    </div>
    ${cards.length > 0 ? html`<h2>Alternatives</h2><div class="cards">${cards}</div>` : nothing}`
}

function gallery({ name, cover, media }: ProductDetail) {
  const show = ({ currentTarget }: ControlEvent<HTMLElement>, url: string) =>
    currentTarget.closest('.gallery')?.querySelector('img')?.setAttribute('src', url)
  const thumbs = media.map(
    ({ large_url, thumb_url, position }) => html`
    <button type="button" aria-label="Picture ${position}"
      @click=${(event: ControlEvent<HTMLElement>) => show(event, large_url)}>${picture(thumb_url, '', 64)}</button>`,
  )
  return html`
    <div class="gallery">
      ${picture(cover?.large_url, name, 560, 'eager')}
      ${media.length > 1 ? html`<div class="thumbs">${thumbs}</div>` : nothing}
    </div>`
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
    const [refused] = await addToCart([{ sku, quantity: Number(quantity) }])
    if (refused) throw new Error(refused.problem)
    announce(`${name} is in your cart`)
  }
  const content = html`
    <label class="field">
      Quantity (${uom}) <input type="number" name="quantity" id="quantity" min="1" value="1" required>
    </label>
    <button class="primary">Add to cart</button>`
  return form(add, content, 'buy')
}

function numbers({ mpn, barcode, references, categories }: ProductDetail) {
  const links = categories.map(
    ({ slug, name }) => html`<a href="/shop?category=${encodeURIComponent(slug)}">${name}</a>`,
  )
  const rows = (references ?? []).map(({ kind, brand, number }): [string, string] => {
    return [referenceNames[kind], `${brand ?? ''} ${number}`]
  })
  return html`<dl>${terms([['Category', links], ['Manufacturer’s number', mpn], ['Barcode', barcode], ...rows])}</dl>`
}
