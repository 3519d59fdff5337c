import { modes } from '../../tenant.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { toTimelinePath } from '../page-paths.ts'
import type { SearchMatch } from './search-match.ts'

const MIN_LENGTH = 2

/** Finds merchants by their id, or by the beginning of a word of their name. */
export function findMerchants({ all }: MerchantDirectory, text: string): SearchMatch[] {
  const typed = text.toLowerCase()
  if (typed.length < MIN_LENGTH) return []
  return all
    .filter(({ merchant, name }) => merchant.toLowerCase() === typed || ` ${name.toLowerCase()}`.includes(` ${typed}`))
    .flatMap(({ merchant, name }) =>
      modes.map((mode) => ({
        kind: 'Merchant',
        name,
        href: toTimelinePath(merchant, mode),
        note: 'its timeline',
        row: { tenant_id: merchant, mode, id: merchant },
      })),
    )
}
