import type { TenantMirror } from '../../changes/mirror/tenant-mirror.ts'
import type { HoldAndPurgeFollower } from '../../operations/hold-and-purge-follower.ts'
import { addCachePurge } from '../../storage/operators/holds-and-purges.ts'
import { type Mode, modes } from '../../tenant.ts'
import { type AuditedActionParts, createAuditedAction } from '../audited-action.ts'
import type { ConsolePage } from '../console-page.ts'
import { createFormError } from '../form-body.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { formatCount } from '../text/format-numbers.ts'
import { readMerchantFilter } from './merchant-filter.ts'

const MAX_SKUS = 500
const MAX_SKU_LENGTH = 128
const MAX_NAMED_SKUS = 10
const PATH = '/cache'

export interface CachePurgePagesParts extends AuditedActionParts {
  holdsAndPurges: Pick<HoldAndPurgeFollower, 'poll'>
  /** They know which SKUs are in the catalog. */
  mirrors: readonly Pick<TenantMirror, 'tenant' | 'isServing' | 'products'>[]
  merchants: MerchantDirectory
}

/** Creates the page and the action that purge cached data in every process. */
export function createCachePurgePages(parts: CachePurgePagesParts): ConsolePage[] {
  const { merchants, mirrors, holdsAndPurges, db, now } = parts
  const formPage: ConsolePage = {
    method: 'GET',
    path: PATH,
    role: 'operator',
    respond: async () => ({
      template: 'cache-purge',
      title: 'Purge cached catalog',
      view: { choices: { merchants: merchants.all, modes }, maxSkus: MAX_SKUS },
    }),
  }
  const purgeAction = createAuditedAction(parts, {
    path: '/cache/purge',
    action: 'cache.purge',
    failurePath: () => PATH,
    readTarget: ({ form }) => ({
      merchant: form.get('merchant') || 'all',
      mode: form.get('mode') || 'both',
      skus: parseSkus(form)?.slice(0, MAX_NAMED_SKUS).join(', ') ?? 'all',
    }),
    async run({ form, operator }) {
      const { merchant, mode } = readPurgeScope(form, merchants)
      const skus = parseSkus(form)
      if (skus) checkSkus(skus)
      await addCachePurge(db, { merchant, mode, skus, by: operator.name, now: now() })
      await holdsAndPurges.poll()
      const entries = skus ? formatCount(skus.length, 'SKU') : 'all entries'
      const scope = merchant ? `${merchants.name(merchant)}${mode ? ` (${mode})` : ''}` : 'all merchants'
      const note = skus && merchant ? describeAbsentSkus(skus, findAbsentSkus(skus, mirrors, { merchant, mode })) : '.'
      return { redirect: PATH, message: `Purged in every process: ${entries} of ${scope}${note}` }
    },
  })
  return [formPage, purgeAction]
}

/** Returns the SKUs that no catalog of the merchant has; `null`: not known, because this machine has no copy of a catalog. */
function findAbsentSkus(
  skus: readonly string[],
  mirrors: CachePurgePagesParts['mirrors'],
  { merchant, mode }: { merchant: string; mode: Mode | null },
): string[] | null {
  const asked = modes.filter((one) => mode === null || one === mode)
  const copies = mirrors.filter(({ tenant, isServing }) => {
    return isServing && tenant.merchant === merchant && asked.includes(tenant.mode)
  })
  if (copies.length < asked.length) return null
  try {
    const rows = copies.map((mirror) => mirror.products(skus))
    return skus.filter((_, at) => rows.every((products) => !products[at]))
  } catch {
    // The file is damaged, and is being replaced.
    return null
  }
}

function describeAbsentSkus(skus: readonly string[], absent: readonly string[] | null): string {
  if (absent === null) return skus.length === 1 ? ', if it was cached.' : ', if they were cached.'
  if (absent.length === 0) return '.'
  const more = absent.length > MAX_NAMED_SKUS ? ` and ${absent.length - MAX_NAMED_SKUS} more` : ''
  const names = `${absent.slice(0, MAX_NAMED_SKUS).join(', ')}${more}`
  return `. Not in the catalog: ${names}. Check the spelling: upper and lower case differ.`
}

/** Refuses an unknown merchant or mode: a mistyped name must not purge all of them. */
function readPurgeScope(form: URLSearchParams, merchants: MerchantDirectory) {
  const scope = readMerchantFilter(form, merchants)
  if (scope.merchant === null && (form.get('merchant') ?? '') !== '')
    throw createFormError('There is no such merchant.')
  if (scope.mode === null && (form.get('mode') ?? '') !== '') throw createFormError('There is no such mode.')
  return scope
}

/** Reads one SKU a line, as SKUs may contain spaces and commas. Returns `null` if the form has no SKU field. */
function parseSkus(form: URLSearchParams): string[] | null {
  const text = form.get('skus')
  if (text === null) return null
  const skus = text.split(/\r?\n/).map((line) => line.trim())
  return [...new Set(skus.filter(Boolean))]
}

function checkSkus(skus: readonly string[]): void {
  if (skus.length > MAX_SKUS) throw createFormError(`Enter at most ${MAX_SKUS} SKUs.`)
  if (skus.some((sku) => sku.length > MAX_SKU_LENGTH)) throw createFormError('One of these SKUs is too long.')
  if (skus.length === 0) throw createFormError('Enter at least one SKU.')
}
