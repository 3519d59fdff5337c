import { html, nothing } from 'lit-html'
import {
  type AvailabilityBand,
  type ListProductsData,
  type ProductList,
  type ProductSort,
  sectionError,
} from '../../client/browser.ts'
import { catalog } from './api-and-account.ts'
import { bandNames, countOf } from './format.ts'
import { open, type PageRequest } from './navigation.ts'
import { type ControlEvent, sectionNotices } from './notices.ts'
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
  const q = query.get('q')
  const vehicle = readVehicle()
  return {
    brand: query.getAll('brand'),
    category: query.getAll('category'),
    availability: bands.filter((band) => query.getAll('availability').includes(band)),
    facets: ['category', 'brand', 'availability'],
    sort: sorts.find(([sort]) => sort === query.get('sort'))?.[0] ?? 'relevance',
    limit: PAGE_SIZE,
    offset: Math.max(0, Math.trunc(Number(query.get('offset'))) || 0),
    ...(q && { q }),
    ...(vehicle && { vehicle_id: vehicle.id }),
  }
}

/** Products with search, facets and sort. */
export async function showList({ query }: PageRequest) {
  const input = toInput(query)
  const asked = await catalog().listProducts(input)
  const { total } = asked.pagination
  // Behind the end, the last page is shown.
  const offset = PAGE_SIZE * Math.floor(((total ?? 0) - 1) / PAGE_SIZE)
  const list = asked.data.length === 0 && total ? await catalog().listProducts({ ...input, offset }) : asked
  const { data, errors, pagination, corrected_q } = list
  const q = query.get('q')
  const cards = data.map((product) => productCard(product, sectionError(list, 'price')))
  return html`
    ${vehiclePicker()}
    <div class="list-head">
      <h1>${q ? `“${corrected_q ?? q}”` : 'All products'}</h1>
      <p class="soft">${countOf(pagination.total ?? data.length, 'product')}</p>
      ${sortSelect(query)}
    </div>
    ${corrected_q && html`<p class="notice">No product matches “${q}”. These products match “${corrected_q}”.</p>`}
    ${sectionNotices(errors)}
    <div class="list">
      ${filters(list, query)}
      ${
        data.length > 0
          ? html`<div class="cards">${cards}</div>`
          : html`<p>No product matches all of this. <a href="/shop">Show all products</a></p>`
      }
    </div>
    ${pages(list, query)}`
}

/** The path of the list with one parameter changed, from its first page. */
function withParameter(query: URLSearchParams, change: (next: URLSearchParams) => void): string {
  const next = new URLSearchParams(query)
  next.delete('offset')
  change(next)
  return `/shop${next.size > 0 ? `?${next}` : ''}`
}

function sortSelect(query: URLSearchParams) {
  const change = ({ currentTarget }: ControlEvent<HTMLSelectElement>) =>
    open(withParameter(query, (next) => next.set('sort', currentTarget.value)))
  const options = sorts.map(
    ([value, label]) => html`
    <option value=${value} ?selected=${query.get('sort') === value}>${label}</option>`,
  )
  return html`<select id="sort" aria-label="Sort by" @change=${change}>${options}</select>`
}

function filters({ facets }: ProductList, query: URLSearchParams) {
  const { category, brand, availability } = facets ?? {}
  const categories = category?.map(({ slug, name, count }) => ({ value: slug, label: name, count }))
  const stocks = availability?.map(({ value, count }) => ({
    value,
    label: bandNames[value as AvailabilityBand],
    count,
  }))
  return html`
    <details class="filters" ?open=${innerWidth > 720}>
      <summary>Filters</summary>
      ${facet('Category', 'category', categories, query)}
      ${facet('Stock', 'availability', stocks, query)}
      ${facet('Brand', 'brand', brand, query)}
    </details>`
}

interface Choice {
  value: string
  label?: string
  count: number
}

/** The most frequent values of a parameter, and those that are chosen. Without values, the system that has them could not be read. */
function facet(legend: string, name: string, choices: readonly Choice[] = [], query: URLSearchParams) {
  const shown = choices.filter(({ value }, index) => index < MAX_VALUES || query.has(name, value))
  const boxes = shown.map(({ value, label = value, count }) => {
    const isChosen = query.has(name, value)
    const path = withParameter(query, (next) => (isChosen ? next.delete(name, value) : next.append(name, value)))
    return html`
      <label>
        <input type="checkbox" id="${name}-${value}" ?checked=${isChosen} @change=${() => open(path)}>
        <span>${label}</span> <small>${count}</small>
      </label>`
  })
  return boxes.length > 0 ? html`<fieldset><legend>${legend}</legend>${boxes}</fieldset>` : nothing
}

function pages({ pagination: { limit, offset, has_more, total } }: ProductList, query: URLSearchParams) {
  const pathFrom = (start: number) => withParameter(query, (next) => next.set('offset', String(start)))
  const end = Math.min(offset + limit, total ?? offset + limit)
  if (offset === 0 && !has_more) return nothing
  return html`
    <nav class="pages" aria-label="Pages">
      ${offset > 0 ? html`<a href=${pathFrom(Math.max(0, offset - limit))}>← Previous</a>` : nothing}
      <span class="soft">${`${offset + 1}–${end} of ${total ?? 'many'}`}</span>
      ${has_more ? html`<a href=${pathFrom(offset + limit)}>Next →</a>` : nothing}
    </nav>`
}
