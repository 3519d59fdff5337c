import type { Directives } from '../../operations/override-follower.ts'
import type { Database } from '../../storage/database.ts'
import { addPurge } from '../../storage/operators/overrides.ts'
import { type Auditing, acting } from '../audited-action.ts'
import { mistaken } from '../form-body.ts'
import { chosenMerchant, type Merchants, modes } from '../merchant-directory.ts'
import { counted } from '../text/format-times.ts'
import type { ConsolePage } from '../console-page.ts'

const MOST_SKUS = 500
const LONGEST_SKU = 128
const HERE = '/cache'

export interface CachePagesParts extends Auditing {
  db: Database
  directives: Pick<Directives, 'look'>
  merchants: Merchants
}

/** For when what is cached is wrong: has every process forget some of it, or all. */
export function cachePages(parts: CachePagesParts): ConsolePage[] {
  const { merchants, directives, db, now } = parts
  const page: ConsolePage = {
    ...{ method: 'GET', path: HERE, role: 'operator' },
    answer: async () => ({
      template: 'cache-purge',
      title: 'Purge cached catalog',
      view: { choice: { merchants: merchants.all, modes }, mostSkus: MOST_SKUS },
    }),
  }
  const purge = acting(parts, {
    ...{ path: '/cache/purge', action: 'cache.purge', back: () => HERE },
    target: ({ form }) => ({
      merchant: form.get('merchant') || 'all',
      mode: form.get('mode') || 'both',
      skus: skusIn(form)?.slice(0, 10).join(', ') ?? 'all',
    }),
    async act({ form, operator }) {
      const { merchant, mode } = meant(form, merchants)
      const skus = skusIn(form)
      if (skus && skus.length > MOST_SKUS) throw mistaken(`Give ${MOST_SKUS} SKUs at the most.`)
      if (skus?.some((sku) => sku.length > LONGEST_SKU)) throw mistaken('One of these SKUs is too long.')
      if (skus?.length === 0) throw mistaken('Give one SKU at least.')
      await addPurge(db, { merchant, mode, skus, by: operator.name, now: now() })
      await directives.look()
      const what = skus ? counted(skus.length, 'SKU') : 'all that was cached'
      const whose = merchant ? `${merchants.name(merchant)}${mode ? ` (${mode})` : ''}` : 'all shops'
      return { redirect: HERE, notice: `Every process forgets ${what} of ${whose}.` }
    },
  })
  return [page, purge]
}

/** One that is named must be there: what is mistyped must not mean all of them. */
function meant(form: URLSearchParams, merchants: Merchants) {
  const chosen = chosenMerchant(form, merchants)
  if (chosen.merchant === null && (form.get('merchant') ?? '') !== '') throw mistaken('There is no such shop.')
  if (chosen.mode === null && (form.get('mode') ?? '') !== '') throw mistaken('There is no such mode.')
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
