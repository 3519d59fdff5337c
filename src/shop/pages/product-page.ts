import {
  type AlternativeRelation,
  type PriceInfo,
  type ProductDetail,
  type ReferenceKind,
  sectionError,
} from '../../client/browser.ts'
import { catalog } from './api-and-account.ts'
import { addToCart } from './cart.ts'
import { announce, type Child, el, field, link, terms } from './dom.ts'
import { formatPrice } from './format.ts'
import type { PageRequest } from './navigation.ts'
import { form, sectionNotices } from './notices.ts'
import { picture, priceText, productCard, productPath, stockBadge } from './product-parts.ts'

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
export async function showProduct({ parts: [sku = ''] }: PageRequest): Promise<Child> {
  const product = await catalog.getProduct({ sku })
  const { name, brand, price, errors, superseded_by, alternatives } = product
  const priceError = sectionError(product, 'price')
  return [
    sectionNotices(errors),
    el(
      'div',
      { class: 'product' },
      gallery(product),
      el(
        'div',
        {},
        el('p', { class: 'soft' }, brand && link(`/shop?brand=${encodeURIComponent(brand)}`, brand), ' ', sku),
        el('h1', {}, name),
        superseded_by && el('p', { class: 'notice' }, 'Replaced by ', link(productPath(superseded_by), superseded_by)),
        el('p', { class: 'prices large' }, priceText(price, priceError)),
        price && el('p', { class: 'soft' }, `${price.tax_included ? 'with' : 'without'} tax, per ${price.uom}`),
        price && breaksTable(price),
        el('p', {}, stockBadge(sku, product.availability)),
        buyForm(product),
        product.description && el('p', {}, product.description),
        numbers(product),
      ),
    ),
    alternatives &&
      alternatives.length > 0 && [
        el('h2', {}, 'Alternatives'),
        el(
          'div',
          { class: 'cards' },
          alternatives.map((one) => productCard(one, priceError, relationNames[one.relation])),
        ),
      ],
  ]
}

function gallery({ name, cover, media }: ProductDetail): HTMLElement {
  const large = picture(cover?.large_url, name, 560, true)
  const show = (url: string) => large.setAttribute('src', url)
  const thumbs = media.map(({ large_url, thumb_url, position }) =>
    el(
      'button',
      { type: 'button', 'aria-label': `Picture ${position}`, click: () => show(large_url) },
      picture(thumb_url, '', 64),
    ),
  )
  return el('div', { class: 'gallery' }, large, media.length > 1 && el('div', { class: 'thumbs' }, thumbs))
}

function breaksTable({ breaks, currency, uom }: PriceInfo): Child {
  if (breaks.length === 0) return null
  const rows = breaks.map(({ min_quantity, amount }) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, `From ${min_quantity} ${uom}`),
      el('td', {}, formatPrice({ amount, currency })),
    ),
  )
  return el(
    'table',
    { class: 'breaks' },
    el('caption', { class: 'unseen' }, 'Prices by quantity'),
    el('tbody', {}, rows),
  )
}

function buyForm({ sku, name, uom }: ProductDetail): HTMLElement {
  return form(
    { class: 'buy' },
    async (data) => {
      const [refused] = await addToCart([{ sku, quantity: Number(data.get('quantity')) }])
      if (refused) throw new Error(refused.problem)
      announce(`${name} is in your cart`)
    },
    field(`Quantity (${uom})`, 'quantity', { type: 'number', min: 1, value: 1, required: true }),
    el('button', { class: 'primary' }, 'Add to cart'),
  )
}

function numbers({ mpn, barcode, references, categories }: ProductDetail): Child {
  const rows: [string, Child][] = [
    ['Category', categories.map(({ slug, name }) => link(`/shop?category=${encodeURIComponent(slug)}`, name))],
    ['Manufacturer’s number', mpn],
    ['Barcode', barcode],
    ...(references ?? []).map(({ kind, brand, number }): [string, string] => [
      referenceNames[kind],
      `${brand ?? ''} ${number}`,
    ]),
  ]
  return el('dl', {}, terms(rows))
}
