import type { Database } from '../../../storage/database.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'

/** What the pages of one record need. */
export interface LookupPageParts {
  db: Database
  merchants: MerchantDirectory
  now: () => number
}
