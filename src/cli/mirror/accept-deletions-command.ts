import { acceptCatalogDeletions } from '../../storage/catalog/catalog-walks.ts'
import { readStoreTime } from '../../storage/store-clock.ts'
import { auditCommand } from '../command-audit.ts'
import { readCommandConfig } from '../command-config.ts'
import { print, printJson } from '../print.ts'
import { withExistingStore } from '../with-store.ts'
import { type MirrorCommandOptions, requireMirroredTenant } from './mirror-tenants.ts'

/** Lets the reconciliation deactivate the products that are missing in the inventory, even if there are many. */
export async function runAcceptDeletions(merchant: string, options: MirrorCommandOptions): Promise<void> {
  const config = readCommandConfig(options.config)
  const tenant = requireMirroredTenant(config, merchant, options)
  const accepted = await withExistingStore(config.store, async (db) => {
    const missing = await acceptCatalogDeletions(db, tenant, new Date(await readStoreTime(db)).toISOString())
    if (missing > 0) await auditCommand(db, 'mirror.accept-deletions', { ...tenant, missing })
    return missing
  })
  if (options.json) return printJson({ accepted })
  const name = `${tenant.merchant} ${tenant.mode}`
  print(
    accepted > 0
      ? `${accepted} missing products of ${name} will be deactivated.`
      : `No deletions of ${name} wait to be accepted.`,
  )
}
