import { Problem } from '../../errors.ts'
import type { SectionError } from '../../sections/section-errors.ts'
import type { MirrorReader } from '../../upstream/mirror/mirror-reader.ts'
import { findsNothing } from './find-products.ts'
import type { ListQuery } from './list-parameters.ts'

const RETRY_SECONDS = 5

export const catalogLoading = () =>
  new Problem('catalog_loading', undefined, { headers: { 'Retry-After': String(RETRY_SECONDS) } })

/**
 * Returns whether the mirror, or a part of it that texts are searched in, is being filled. Ask before the search: what is filled meanwhile may
 * not have been searched.
 */
export const isTextLoading = (mirror: Pick<MirrorReader, 'state' | 'hasTextParts'>): boolean =>
  mirror.state === 'filling' || (mirror.state === 'ready' && !mirror.hasTextParts())

/** Returns the entry of `errors[]` for what a text has found, or not, in a catalog that is being loaded. No system has failed, so there is no trace. */
export const reportLoading = (field: string): SectionError[] => [
  {
    field,
    code: 'catalog_loading',
    detail: 'The catalog is being loaded. More may match.',
    retry_after_ms: RETRY_SECONDS * 1_000,
  },
]

/** Does the same for a list of products, if it was searched by a text. */
export const reportLoadingList = (query: ListQuery): SectionError[] =>
  query.q?.trim() && !findsNothing(query) ? reportLoading('data') : []
