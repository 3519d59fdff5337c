import { html, nothing } from 'lit-html'
import type { AvailabilityBand, CategoryNode, ProductList, ProductSort } from '../../client/browser.ts'
import { sectionError } from '../../client/browser.ts'
import { catalog, forecourt } from './api-and-account.ts'
import { countOf } from './formats.ts'
import { missingPage, type PageRequest, pageLinks, withParameter } from './navigation.ts'
import { sectionNotices } from './notices-and-forms.ts'
import { bandNames, productCards } from './product-parts.ts'
import { formatVehicle, keepVehicle, pathFor, readVehicle, vehiclePicker } from './vehicle-picker.ts'

const PAGE_SIZE = 24
const MAX_VALUES = 12
/** While products change, searches may lag this long behind them, and with searches the counts of the filters. */
const SEARCH_LAG_MS = 500
const sortNames = { price: 'Lowest price', '-price': 'Highest price', newest: 'Newest', name: 'Name' }
const sorts = Object.entries(sortNames).map(([value, label]) => ({ value, label }))

/** The list that is shown, for a refresh. */
let shown: ProductList | undefined

/** Products with search, filters and sort. The address is the state, with the chosen vehicle: each choice is a link. */
export async function showList({ query, isOpen, isRefresh }: PageRequest) {
  const chosen = readVehicle()
  const vehicle_id = Number(query.get('vehicle_id'))
  if (chosen.vehicle_id && !vehicle_id) return location.replace(pathFor(chosen, query))
  const [tree, asked] = await Promise.all([
    forecourt.getCategories().catch(() => ({ data: [] })),
    isRefresh && shown ? readAgain(shown, query) : readList(query, Number(query.get('offset'))),
  ])
  // Another vehicle may have been chosen meanwhile.
  if (!isOpen()) return
  const vehicle = vehicle_id ? (asked.vehicle ?? {}) : chosen
  // The list's vehicle becomes the chosen one: its address may be somebody else's.
  const isStillChosen = !isRefresh && readVehicle().vehicle_id === chosen.vehicle_id
  if (vehicle_id && isStillChosen && !sectionError(asked, 'fitment')) keepVehicle(vehicle)
  if (!isRefresh && asked.vehicle === null && !sectionError(asked, 'fitment')) return missingPage('vehicle any more')
  const picker = await vehiclePicker(vehicle)
  // Behind the end, the last page is shown.
  const last = (asked.pagination.total ?? 0) - 1
  const list = asked.data.length === 0 && last >= 0 ? await readList(query, last - (last % PAGE_SIZE)) : asked
  if (isOpen()) shown = list
  const path = findPath(tree.data, query.get('category'))
  const { data, errors, pagination, closest, corrected_q } = list
  const [q, found] = [query.get('q'), closest?.q ?? corrected_q]
  const title = q ? `“${found ?? q}”` : (path.at(-1)?.name ?? 'All products')
  return html`
    ${picker}
    <div class="list-head"> <h1>${title}${vehicle.vehicle_id ? ` for ${formatVehicle(vehicle)}` : nothing}</h1>
      <p class="soft" role="status">${countOf(pagination.total ?? data.length, 'product')}</p>
    </div>
    ${found && html`<p class="notice">No product matches “${q}”. These products match “${found}”${closest && `, without “${closest.left_out.join(' ')}”`}.</p>`}
    ${sectionNotices(errors)}
    <div class="list">
      ${filters(list, query, [...path, ...(path.at(-1)?.children ?? tree.data)])}
      ${data.length > 0 ? productCards(data, sectionError(list, 'price')) : html`<p>No product matches all of this. <a href="/shop">Show all products</a></p>`}
    </div>
    ${pageLinks(pagination, 'Pages', (offset) => withParameter(query, (next) => next.set('offset', `${offset}`)))}`
}

/** Reads what fewer words find, when nothing has all words. The API refuses values that it does not know. */
async function readList(query: URLSearchParams, offset: number, q = query.get('q')): Promise<ProductList> {
  const vehicle_id = Number(query.get('vehicle_id'))
  const input = {
    brand: query.getAll('brand'),
    category: query.getAll('category'),
    availability: query.getAll('availability') as AvailabilityBand[],
    facets: ['category' as const, 'brand' as const, 'availability' as const],
    sort: (query.get('sort') ?? 'relevance') as ProductSort,
    limit: PAGE_SIZE,
    offset,
    ...(q && { q }),
    ...(vehicle_id && { vehicle_id }),
  }
  // While the catalog is being loaded, the page says so at once.
  const list = await catalog().listProducts(input, { maxRetries: 0 })
  return list.closest ? { ...(await readList(query, offset, list.closest.q)), closest: list.closest } : list
}

/** The same products as they are now, in their places, even if a new list would have another order. The filters have the counts of a new list, if it can be read. */
async function readAgain(list: ProductList, query: URLSearchParams): Promise<ProductList> {
  await new Promise((resolve) => setTimeout(resolve, SEARCH_LAG_MS))
  const [{ data, errors }, { facets }] = await Promise.all([
    catalog().listProducts({ skus: list.data.map(({ sku }) => sku), limit: PAGE_SIZE }),
    readList(query, list.pagination.offset, list.closest?.q).catch(() => list),
  ])
  const products = list.data.map((one) => ({ ...one, ...data.find(({ sku }) => sku === one.sku) }))
  return { ...list, ...(facets && { facets }), errors, data: products }
}

/** The chosen category, after those above it. */
const findPath = (nodes: readonly CategoryNode[], slug: string | null): CategoryNode[] =>
  nodes.flatMap((node) => {
    const path = findPath(node.children, slug)
    return path.length > 0 || node.slug === slug ? [node, ...path] : []
  })

/** The categories above and below the chosen one can be chosen, or those at the top. */
function filters({ facets }: ProductList, query: URLSearchParams, near: readonly CategoryNode[]) {
  const { category, brand, availability } = facets ?? {}
  const categories = category
    ?.filter(({ slug }) => near.length === 0 || near.some((node) => node.slug === slug))
    .map(({ slug, name, count }) => ({ value: slug, label: name, count }))
  const bands = availability?.map((one) => ({ ...one, label: bandNames[one.value] }))
  return html`
    <details class="filters" ?open=${innerWidth > 720}> <summary>Filter and sort</summary>
      ${choiceLinks('Sort by', 'sort', sorts, query)}
      ${choiceLinks('Category', 'category', categories, query)}
      ${choiceLinks('Stock', 'availability', bands, query)}
      ${choiceLinks('Brand', 'brand', brand, query)}
    </details>`
}

type Choice = { value: string; label?: string; count?: number }

/** The most frequent values of a parameter, and those that are chosen. Without values, the system that has them could not be read. */
function choiceLinks(title: string, name: string, choices: readonly Choice[] = [], query: URLSearchParams) {
  const shown = choices.filter(({ value }, index) => index < MAX_VALUES || query.has(name, value))
  const links = shown.map(({ value, label = value, count }) => {
    const isChosen = query.has(name, value)
    const path = withParameter(query, (next) => {
      if (isChosen) next.delete(name, value)
      else if (name === 'sort' || name === 'category') next.set(name, value)
      else next.append(name, value)
    })
    return html`<li><a href=${path} aria-current=${isChosen}>${label}</a> <small>${count}</small></li>`
  })
  return links.length > 0 ? html`<h2>${title}</h2><ul class="plain">${links}</ul>` : nothing
}
