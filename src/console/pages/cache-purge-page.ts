import type { HoldAndPurgeFollower } from '../../operations/hold-and-purge-follower.ts'
import { addCachePurge } from '../../storage/operators/holds-and-purges.ts'
import { modes } from '../../tenant.ts'
import { type AuditedActionParts, createAuditedAction } from '../audited-action.ts'
import type { ConsolePage } from '../console-page.ts'
import { createFormError } from '../form-body.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { formatCount } from '../text/format-numbers.ts'
import { readMerchantFilter } from './merchant-filter.ts'

const MAX_SKUS = 500
const MAX_SKU_LENGTH = 128
const PATH = '/cache'

export interface CachePurgePagesParts extends AuditedActionParts {
  holdsAndPurges: Pick<HoldAndPurgeFollower, 'poll'>
  merchants: MerchantDirectory
}

/** Creates the page and the action that purge cached data in every process. */
export function createCachePurgePages(parts: CachePurgePagesParts): ConsolePage[] {
  const { merchants, holdsAndPurges, db, now } = parts
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
      skus: parseSkus(form)?.slice(0, 10).join(', ') ?? 'all',
    }),
    async run({ form, operator }) {
      const { merchant, mode } = readPurgeScope(form, merchants)
      const skus = parseSkus(form)
      if (skus) checkSkus(skus)
      await addCachePurge(db, { merchant, mode, skus, by: operator.name, now: now() })
      await holdsAndPurges.poll()
      const entries = skus ? formatCount(skus.length, 'SKU') : 'all entries'
      const scope = merchant ? `${merchants.name(merchant)}${mode ? ` (${mode})` : ''}` : 'all merchants'
      return { redirect: PATH, message: `Purged in every process: ${entries} of ${scope}.` }
    },
  })
  return [formPage, purgeAction]
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
