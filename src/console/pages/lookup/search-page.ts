import { type AuditEntry, writeAuditEntry } from '../../../storage/operators/audit-log.ts'
import type { Tenant } from '../../../tenant.ts'
import type { ConsolePage, ConsoleRequest, ConsoleResponse } from '../../console-page.ts'
import { toProductPath } from '../../page-paths.ts'
import { isDocumentNumber } from '../../search/document-number-spellings.ts'
import { type FoundMatches, findMatches, type PossibleProduct, type SearchParts } from '../../search/find-matches.ts'
import { listCatalogs } from '../../search/list-catalogs.ts'
import { mergePossibleProducts } from '../../search/merge-possible-products.ts'
import { parseSearchText, type SearchText } from '../../search/search-text.ts'

const PATH = '/find'
/** SKUs that the store does not know can be looked up in the systems of that many tenants. */
const MAX_SKU_LINKS = 20

/**
 * Creates the search of all pages. The form is a POST, so that keys and email addresses are in no URL. One match leads to its page; several
 * are a list, which has a URL unless it was an address or a key.
 */
export function createSearchPages(parts: SearchParts): ConsolePage[] {
  const listPage: ConsolePage = {
    method: 'GET',
    path: PATH,
    role: 'support',
    async respond({ query }) {
      const search = parseSearchText(query.get('q') ?? '')
      return toResponse(
        search,
        search.isPublic ? await findMatches(parts, search) : { matches: [], possibleProducts: [], unsearched: [] },
      )
    },
  }
  const searchForm: ConsolePage = {
    method: 'POST',
    path: PATH,
    role: 'support',
    async respond(request) {
      const search = parseSearchText(request.form.get('q') ?? '')
      const result = await findMatches(parts, search)
      if (search.email !== null) await writeAuditEntry(parts.db, toEmailLookupEntry(request, result), parts.now())
      if (isOneMatch(result) || !search.isPublic) return toResponse(search, result)
      return { redirect: `${PATH}?${new URLSearchParams({ q: search.text })}`, message: '' }
    },
  }

  function toResponse(search: SearchText, result: FoundMatches): ConsoleResponse {
    if (isOneMatch(result)) return { redirect: result.matches[0]!.href, message: '' }
    return { template: 'search', title: 'Search', view: toSearchView(parts, search, result) }
  }

  return [listPage, searchForm]
}

/** What could not be searched may have another. */
const isOneMatch = ({ matches, possibleProducts, unsearched }: FoundMatches) =>
  matches.length === 1 && possibleProducts.length + unsearched.length === 0

/** The entry names the accounts that were found, and never the address: a digest of it could be guessed. */
const toEmailLookupEntry = ({ operator, address }: ConsoleRequest, { matches }: FoundMatches): AuditEntry => ({
  operator: operator.name,
  role: operator.role,
  action: 'email.look_up',
  target: { found: matches.map(({ kind, name }) => `${kind.toLowerCase()} ${name}`).join(', ') || 'nothing' },
  outcome: 'done',
  address,
})

function toSearchView(
  parts: SearchParts,
  { text, id, isPublic, email }: SearchText,
  { matches, possibleProducts, unsearched }: FoundMatches,
) {
  const { merchants } = parts
  const shownText = isPublic ? text : email === null ? 'this key' : 'this email address'
  const toLink = ({ merchant, mode, sku }: PossibleProduct) => ({
    name: `${merchants.name(merchant)} (${mode})`,
    href: toProductPath(merchant, mode, sku),
  })
  const isSkuPossible = isPublic && id !== '' && matches.length + possibleProducts.length === 0
  const catalogs = listCatalogs(parts)
  const areMerged = matches.some(
    ({ kind, name }) => kind === 'Product' && possibleProducts.some(({ sku }) => sku === name),
  )
  const shownProducts = possibleProducts.slice(0, MAX_SKU_LINKS)
  const listed = areMerged ? mergePossibleProducts(matches, shownProducts, merchants) : matches
  const toNames = (tenants: readonly Tenant[]) =>
    tenants.map(({ merchant, mode }) => `${merchants.name(merchant)} (${mode})`)
  return {
    isEmpty: id === '',
    notCopied: toNames(catalogs.filter(({ isCopied }) => !isCopied)),
    unsearched: toNames(unsearched),
    isDocumentNumber: isPublic && isDocumentNumber(text),
    text: shownText,
    isPublic,
    matchCount: matches.length,
    mergedCount: areMerged ? shownProducts.length : 0,
    matches: listed.map(({ row, note = null, ...match }) => ({
      ...match,
      note,
      merchantName: row === null ? null : merchants.name(row.tenant_id),
      mode: row === null || row.tenant_id === null ? null : row.mode,
    })),
    skuLinks: isSkuPossible ? catalogs.slice(0, MAX_SKU_LINKS).map((one) => toLink({ ...one, sku: text })) : [],
    possibleProducts: areMerged ? [] : shownProducts.map(toLink),
  }
}
