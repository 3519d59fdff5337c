import type { FacetCounts } from '../../catalog/search/search-result.ts'
import type { ClosestSearch } from '../../contract/catalog/closest-search.ts'
import type { Facets } from '../../contract/catalog/facets.ts'
import type { Category, Tag } from '../../ports/inventory.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { optional, type Section, valueSection } from '../../sections/section.ts'
import type { SectionError } from '../../sections/section-errors.ts'
import type { SectionTrace } from '../../sections/section-trace.ts'
import type { LoadResult } from '../../upstream/read-stack/cached-loader.ts'
import type { FoundPage, ProductSearch } from './find-products.ts'

type Names = { categories: readonly Category[] | null; tags: readonly Tag[] | null }

interface SearchMembers {
  facets?: Facets
  corrected_q?: string | null
  closest?: ClosestSearch | null
}

/** The members that a search adds to the body of a list: facets with names, the corrected text, and the closest one that finds products. */
export async function readSearchMembers(
  search: Omit<ProductSearch, 'customerId'>,
  page: Pick<FoundPage, 'facets' | 'corrected' | 'closest'>,
): Promise<{ body: SearchMembers; errors: SectionError[]; traces: SectionTrace[] }> {
  const { query, backOffice } = search
  const correction = query.q !== undefined && backOffice.mirror.state === 'ready'
  const texts = correction && { corrected_q: page.corrected ?? null, closest: toClosest(page) }
  if (!query.facets?.length) return { body: { ...texts }, errors: [], traces: [] }
  const { values, errors, traces } = await fanOut(search.requestScope, {
    facets: optional(readNames(search, page.facets)),
  })
  const requested = new Set(query.facets)
  const counts = Object.fromEntries([...requested].map((facet) => [facet, page.facets?.[facet] ?? []]))
  return { body: { facets: toFacets(counts, values.facets), ...texts }, errors, traces }
}

function toClosest({ closest }: Pick<FoundPage, 'closest'>): ClosestSearch | null {
  return closest ? { q: closest.q, left_out: closest.leftOut, total: closest.total } : null
}

/** Reads the names of the values, as far as the requested facets have names. */
async function readNames(
  { query: { facets }, backOffice, requestScope }: Omit<ProductSearch, 'customerId'>,
  counts: FacetCounts | undefined,
): Promise<Section<Names>> {
  const valuesOf = (facet: 'category' | 'tag') => counts?.[facet]?.map(({ value }) => value) ?? []
  const [categories, tags] = await Promise.all([
    facets?.includes('category') ? backOffice.categories(requestScope, valuesOf('category')) : null,
    facets?.includes('tag') ? backOffice.tags(requestScope, valuesOf('tag')) : null,
  ])
  // The oldest; a list that is missing has no age at all.
  const [failed] = [categories, tags]
    .flatMap((result): LoadResult<unknown>[] => (result?.error ? [result] : []))
    .sort((one, other) => one.asOf - other.asOf)
  const section = failed ? valueSection(failed) : null
  const value = { categories: categories?.value ?? null, tags: tags?.value ?? null }
  const nothing = { error: null, stale: false, partial: false, asOf: 0 }
  return { ...nothing, ...section, value }
}

function toFacets(counts: FacetCounts, { categories, tags }: Names): Facets {
  const categoryById = new Map(categories?.map((category) => [category.category_id, category]))
  const nameByTag = new Map(tags?.map(({ tag, name }) => [tag, name]))
  const toCategory = ({ value, count }: { value: string; count: number }) => {
    const category = categoryById.get(value)
    return category ? [{ category_id: value, name: category.name, slug: category.slug, count }] : []
  }
  const { brand, category, tag, availability, price } = counts
  return {
    ...(brand && { brand }),
    ...(category && { category: categories && category.flatMap(toCategory) }),
    ...(tag && { tag: tag.map(({ value, count }) => ({ value, name: nameByTag.get(value) ?? value, count })) }),
    ...(availability && { availability }),
    ...(price && {
      price: price.map(({ from, to, count }) => ({ from: String(from), to: to === null ? null : String(to), count })),
    }),
  }
}
