import type { OverrideFollower } from '../../operations/override-follower.ts'
import type { Database } from '../../storage/database.ts'
import { addCachePurge } from '../../storage/operators/overrides.ts'
import { type AuditedActionParts, createAuditedAction } from '../audited-action.ts'
import type { ConsolePage } from '../console-page.ts'
import { createFormError } from '../form-body.ts'
import { type MerchantDirectory, modes, readMerchantFilter } from '../merchant-directory.ts'
import { formatCount } from '../text/format-times.ts'

const MOST_SKUS = 500
const LONGEST_SKU = 128
const HERE = '/cache'

export interface CachePurgePagesParts extends AuditedActionParts {
  db: Database
  directives: Pick<OverrideFollower, 'poll'>
  merchants: MerchantDirectory
}

/** For when what is cached is wrong: has every process forget some of it, or all. */
export function createCachePurgePages(parts: CachePurgePagesParts): ConsolePage[] {
  const { merchants, directives, db, now } = parts
  const page: ConsolePage = {
    ...{ method: 'GET', path: HERE, role: 'operator' },
    answer: async () => ({
      template: 'cache-purge',
      title: 'Purge cached catalog',
      view: { choice: { merchants: merchants.all, modes }, mostSkus: MOST_SKUS },
    }),
  }
  const purge = createAuditedAction(parts, {
    ...{ path: '/cache/purge', action: 'cache.purge', back: () => HERE },
    target: ({ form }) => ({
      merchant: form.get('merchant') || 'all',
      mode: form.get('mode') || 'both',
      skus: skusIn(form)?.slice(0, 10).join(', ') ?? 'all',
    }),
    async act({ form, operator }) {
      const { merchant, mode } = meant(form, merchants)
      const skus = skusIn(form)
      if (skus && skus.length > MOST_SKUS) throw createFormError(`Give ${MOST_SKUS} SKUs at the most.`)
      if (skus?.some((sku) => sku.length > LONGEST_SKU)) throw createFormError('One of these SKUs is too long.')
      if (skus?.length === 0) throw createFormError('Give one SKU at least.')
      await addCachePurge(db, { merchant, mode, skus, by: operator.name, now: now() })
      await directives.poll()
      const what = skus ? formatCount(skus.length, 'SKU') : 'all that was cached'
      const whose = merchant ? `${merchants.name(merchant)}${mode ? ` (${mode})` : ''}` : 'all shops'
      return { redirect: HERE, notice: `Every process forgets ${what} of ${whose}.` }
    },
  })
  return [page, purge]
}

/** One that is named must be there: what is mistyped must not mean all of them. */
function meant(form: URLSearchParams, merchants: MerchantDirectory) {
  const chosen = readMerchantFilter(form, merchants)
  if (chosen.merchant === null && (form.get('merchant') ?? '') !== '') throw createFormError('There is no such shop.')
  if (chosen.mode === null && (form.get('mode') ?? '') !== '') throw createFormError('There is no such mode.')
  return chosen
}

/** One in each line, as SKUs may have spaces and commas in them; `null`: the form asks for none. */
function skusIn(form: URLSearchParams): string[] | null {
  const text = form.get('skus')
  return text === null
    ? null
    : [
        ...new Set(
          text
            .split(/\r?\n/)
            .map((line) => line.trim())
            .filter(Boolean),
        ),
      ]
}
