import { html, nothing, render } from 'lit-html'
import type { FittedVehicle, PriceBreak, PriceInfo, ProductDetail, ProductFitments } from '../../client/browser.ts'
import { type ReferenceKind, sectionError } from '../../client/browser.ts'
import { account, catalog, findOpenCart, forecourt, shopper } from './api-and-account.ts'
import { countOf, formatPrice } from './formats.ts'
import { showAccountLinks } from './header.ts'
import { terms } from './lines-and-totals.ts'
import type { PageRequest } from './navigation.ts'
import { announce, describeError, form, notice, sectionNotices } from './notices-and-forms.ts'
import { formatConditions, picture, priceText, productCards, productPath, stockBadge } from './product-parts.ts'
import { formatVehicle, pathFor, readVehicle } from './vehicle-picker.ts'

const VEHICLES = 200

const referenceNames: Readonly<Record<ReferenceKind, string>> = {
  OEM: 'Vehicle maker’s number',
  CROSS: 'Equivalent',
  SUPERSEDES: 'Replaces',
  SUPERSEDED_BY: 'Replaced by',
  CUSTOMER: 'Your number',
}

/** One product. Each section may be missing, and the page stands without it. */
export async function showProduct({ parts: [sku = ''] }: PageRequest) {
  const fitments = forecourt.listProductFitments({ sku, limit: VEHICLES })
  const [product, fitment] = await Promise.all([catalog().getProduct({ sku }), fitments.then(fitmentList, noFitments)])
  const { name, brand, price, errors, superseded_by, description, cover, alternatives } = product
  const priceError = sectionError(product, 'price')
  // There are no carts without a shopper, and no orders without a price. A price that could not be read may be there later.
  const signIn = html`<p><a class="primary button" href="/shop/sign-in?sku=${encodeURIComponent(sku)}">Sign in to buy</a></p>`
  return html`
    ${sectionNotices(errors)}
    <div class="product">
      ${picture(cover?.large_url, name, 560, 'eager')}
      <div>
        <p class="soft">${brand && html`<a href="/shop?brand=${encodeURIComponent(brand)}">${brand}</a>`} ${sku}</p>
        <h1>${name}</h1>
        ${superseded_by && html`<p class="notice">Replaced by <a href=${productPath(superseded_by)}>${superseded_by}</a></p>`}
        <p class="prices large">${priceText(price, priceError)}</p> ${price && priceTerms(price)}
        <p>${stockBadge(sku, product.availability)}</p>
        ${fitment}
        ${(price || priceError) && (account.isSignedIn ? buyForm(product) : signIn)} ${description && html`<p>${description}</p>`}
        ${numbers(product)}
      </div>
    </div>
    ${alternatives?.length ? html`<h2>Alternatives</h2>${productCards(alternatives, priceError)}` : nothing}`
}

function priceTerms({ breaks, currency, uom, tax_included }: PriceInfo) {
  const row = ({ min_quantity, amount }: PriceBreak) => html`
    <tr><th scope="row">From ${min_quantity} ${uom}</th><td>${formatPrice({ amount, currency })}</td></tr>`
  const table = html`<table class="breaks"><caption class="unseen">Prices by quantity</caption><tbody>${breaks.map(row)}</tbody></table>`
  return html`<p class="soft">${tax_included ? 'with' : 'without'} tax, per ${uom}</p>${breaks.length > 0 ? table : nothing}`
}

function buyForm({ sku, name, uom }: ProductDetail) {
  const add = async ({ quantity }: Record<string, string>, element: HTMLFormElement) => {
    const { cart_id } = (await findOpenCart()) ?? (await shopper.createCart())
    const { lines } = await shopper.addCartLine({ cart_id, body: { sku, quantity: Number(quantity) } })
    const inCart = lines.find((line) => line.sku === sku)?.quantity ?? quantity
    render(html`Added. ${inCart} in <a href="/shop/cart">your cart</a>`, element.querySelector<HTMLElement>('.added')!)
    announce(`Added. ${inCart} of ${name} in your cart`)
    await showAccountLinks()
  }
  const content = html`
    <label class="field">Quantity (${uom}) <input type="number" name="quantity" id="quantity" min="1" value="1" required></label>
    <button class="primary">Add to cart</button> <p class="added"></p>`
  return form(add, content, 'buy', true)
}

function numbers({ mpn, barcode, references }: ProductDetail) {
  const rows = references?.map(({ kind, brand, number }) => [referenceNames[kind], `${brand ?? ''} ${number}`] as const)
  return html`<dl>${terms([['Manufacturer’s number', mpn], ['Barcode', barcode], ...(rows ?? [])])}</dl>`
}

const noFitments = (error: unknown) => notice(`The vehicle list could not be read right now. ${describeError(error)}`)
/** Says whether a product fits the chosen vehicle, and lists those that it fits. */
function fitmentList({ universal, data, pagination: { total, has_more }, errors }: ProductFitments) {
  if (universal) return html`<p class="good">Fits every vehicle.</p>`
  if (errors.length > 0) return sectionNotices(errors)
  return html`
    ${fitOfChosenVehicle(data, has_more)}
    <details><summary>Fits ${countOf(total ?? data.length, 'vehicle')}</summary>
      <ul class="plain">${data.map((one) => html`<li>${describe(one)}</li>`)}</ul>
      ${has_more ? html`<p class="soft">These are the first ${VEHICLES}.</p>` : nothing}
    </details>`
}

/** Beyond the vehicles that were read, others may fit. */
function fitOfChosenVehicle(fitted: readonly FittedVehicle[], hasMore: boolean) {
  const vehicle = readVehicle()
  const found = fitted.find(({ vehicle_id }) => vehicle_id === vehicle.vehicle_id)
  if (found) return html`<p class=${formatConditions(found) ? 'notice' : 'good'}>Fits your ${describe(found)}</p>`
  if (!vehicle.vehicle_id || hasMore) return nothing
  return html`<p class="bad">Does not fit your ${formatVehicle(vehicle)}. <a href=${pathFor(vehicle)}>See what fits it</a></p>`
}

/** `2014 Honda CR-V EX 2.4L I4 JM (front) if: automatic transmission. Reuse the original clips.` */
function describe(fitted: FittedVehicle): string {
  const places = fitted.positions.length > 0 ? ` (${fitted.positions.join(', ').toLowerCase()})` : ''
  return `${formatVehicle(fitted)}${places}${formatConditions(fitted)}`
}
