import {
  type AvailabilityBand,
  type ListProductsData,
  type ProductList,
  type ProductSort,
  sectionError,
} from '../../client/browser.ts'
import { catalog, settings } from './api-and-account.ts'
import { type Attributes, type Child, el, link } from './dom.ts'
import { bandNames, countOf, formatPrice } from './format.ts'
import { open, type PageRequest } from './navigation.ts'
import { sectionNotices } from './notices.ts'
import { productCard } from './product-parts.ts'
import { readVehicle, vehiclePicker } from './vehicle-picker.ts'

const PAGE_SIZE = 24
const MAX_VALUES = 12
const bands: AvailabilityBand[] = ['IN_STOCK', 'LOW', 'LEAD_TIME', 'OUT']
const sorts: [ProductSort, string][] = [
  ['relevance', 'Best match'],
  ['price', 'Lowest price'],
  ['-price', 'Highest price'],
  ['newest', 'Newest'],
  ['name', 'Name'],
]

/** The address of a list is its state: each choice opens another address. */
function toInput(query: URLSearchParams): NonNullable<ListProductsData['query']> & { updated_since?: undefined } {
  const [min_price, max_price, q] = ['min_price', 'max_price', 'q'].map((name) => query.get(name))
  const vehicle = readVehicle()
  return {
    brand: query.getAll('brand'),
    category: query.getAll('category'),
    availability: bands.filter((band) => query.getAll('availability').includes(band)),
    facets: ['category', 'brand', 'availability', 'price'],
    sort: sorts.find(([sort]) => sort === query.get('sort'))?.[0] ?? 'relevance',
    limit: PAGE_SIZE,
    offset: Math.max(0, Math.trunc(Number(query.get('offset'))) || 0),
    ...(q && { q }),
    ...(min_price && { min_price }),
    ...(max_price && { max_price }),
    ...(vehicle && { vehicle_id: vehicle.id }),
  }
}

/** Products with search, facets and sort. */
export async function showList({ query }: PageRequest): Promise<Child> {
  const input = toInput(query)
  const asked = await catalog.listProducts(input)
  const { total } = asked.pagination
  // Behind the end, the last page is shown.
  const offset = PAGE_SIZE * Math.floor(((total ?? 0) - 1) / PAGE_SIZE)
  const list = asked.data.length === 0 && total ? await catalog.listProducts({ ...input, offset }) : asked
  const { data, errors, pagination, corrected_q } = list
  const q = query.get('q')
  const priceError = sectionError(list, 'price')
  return [
    vehiclePicker(),
    el(
      'div',
      { class: 'list-head' },
      el('h1', {}, q ? `“${corrected_q ?? q}”` : 'All products'),
      el('p', { class: 'soft' }, countOf(pagination.total ?? data.length, 'product')),
      sortSelect(query),
    ),
    corrected_q && el('p', { class: 'notice' }, `No product matches “${q}”. These products match “${corrected_q}”.`),
    sectionNotices(errors),
    el(
      'div',
      { class: 'list' },
      filters(list, query),
      data.length === 0
        ? el('p', { class: 'empty' }, 'No product matches all of this. ', link('/shop', 'Show all products'))
        : el(
            'div',
            { class: 'cards' },
            data.map((product) => productCard(product, priceError)),
          ),
    ),
    pages(list, query),
  ]
}

/** The path of the list with one parameter changed, from its first page. */
function withParameter(query: URLSearchParams, change: (next: URLSearchParams) => void): string {
  const next = new URLSearchParams(query)
  next.delete('offset')
  change(next)
  return `/shop${next.size > 0 ? `?${next}` : ''}`
}

function sortSelect(query: URLSearchParams): HTMLElement {
  const options = sorts.map(([value, label]) => el('option', { value, selected: query.get('sort') === value }, label))
  const select = el('select', { id: 'sort', 'aria-label': 'Sort by' }, options)
  select.addEventListener('change', () => open(withParameter(query, (next) => next.set('sort', select.value))))
  return select
}

type Choice = [value: string, label: string, count: number]

function filters({ facets }: ProductList, query: URLSearchParams): Child {
  if (!facets) return el('div')
  const { category, brand, availability, price } = facets
  const bandLabels: Readonly<Record<string, string>> = bandNames
  const categories = category?.map(({ slug, name, count }): Choice => [slug, name, count])
  const stocks = availability?.map(({ value, count }): Choice => [value, bandLabels[value] ?? value, count])
  const brands = brand?.map(({ value, count }): Choice => [value, value, count])
  return el(
    'details',
    { class: 'filters', open: innerWidth > 720 },
    el('summary', {}, 'Filters'),
    facet('category', 'Category', categories, query),
    facet('availability', 'Stock', stocks, query),
    facet('brand', 'Brand', brands, query),
    priceFacet(price ?? [], query),
  )
}

function facet(name: string, label: string, choices: readonly Choice[] = [], query: URLSearchParams): Child {
  const chosen = query.getAll(name)
  const shown = choices.filter(([value], index) => index < MAX_VALUES || chosen.includes(value))
  if (shown.length === 0) return null
  const boxes = shown.map(([value, text, count]) => {
    const toggle = (next: URLSearchParams) =>
      chosen.includes(value) ? next.delete(name, value) : next.append(name, value)
    const change = () => open(withParameter(query, toggle))
    return checkbox(`${name}-${value}`, text, count, { checked: chosen.includes(value), change })
  })
  return el('fieldset', {}, el('legend', {}, label), boxes)
}

const checkbox = (id: string, label: string, count: number, attributes: Attributes) =>
  el('label', {}, el('input', { type: 'checkbox', id, ...attributes }), el('span', {}, label), el('small', {}, count))

function priceFacet(
  ranges: readonly { from: string; to: string | null; count: number }[],
  query: URLSearchParams,
): Child {
  const { currency } = settings
  const boxes = ranges.slice(0, MAX_VALUES).map(({ from, to, count }) => {
    const isChosen = query.get('min_price') === from
    const change = () =>
      open(
        withParameter(query, (next) => {
          next.delete('min_price')
          next.delete('max_price')
          if (isChosen) return
          next.set('min_price', from)
          if (to) next.set('max_price', to)
        }),
      )
    const label = `${formatPrice({ amount: from, currency })}${to ? ` – ${formatPrice({ amount: to, currency })}` : ' and more'}`
    return checkbox(`price-${from}`, label, count, { checked: isChosen, change })
  })
  return boxes.length > 0 && el('fieldset', {}, el('legend', {}, 'Price'), boxes)
}

function pages({ pagination: { limit, offset, has_more, total } }: ProductList, query: URLSearchParams): Child {
  const to = (start: number, label: string) =>
    link(
      withParameter(query, (next) => next.set('offset', String(start))),
      label,
    )
  if (offset === 0 && !has_more) return null
  return el(
    'nav',
    { class: 'pages', 'aria-label': 'Pages' },
    offset > 0 && to(Math.max(0, offset - limit), '← Previous'),
    el(
      'span',
      { class: 'soft' },
      `${offset + 1}–${Math.min(offset + limit, total ?? offset + limit)} of ${total ?? 'many'}`,
    ),
    has_more && to(offset + limit, 'Next →'),
  )
}
