import { normalizeRequestId, readRequestViewsWithId } from '../../console/pages/requests/read-request-views-with-id.ts'
import { readCommandConfig } from '../command-config.ts'
import { createCommandMerchantDirectory } from '../command-merchant-directory.ts'
import { print, printJson } from '../print.ts'
import { UsageError } from '../usage-error.ts'
import { type StoreCommandOptions, withExistingStore } from '../with-store.ts'
import { formatRecord, withoutBars } from './format-record.ts'
import { describeUnknownId } from './unknown-id-text.ts'

export interface WhyOptions extends StoreCommandOptions {
  timeZone?: string
}

/** Prints what the page of a request says of it. */
export async function runWhy(requestId: string, options: WhyOptions): Promise<void> {
  const id = normalizeRequestId(requestId)
  if (id === '') throw new UsageError('Give the request id, from the header X-Request-Id or from request_id')
  const config = readCommandConfig(options.config)
  const merchants = createCommandMerchantDirectory(config, options.timeZone)
  const records = await withExistingStore(config.store, (db) => readRequestViewsWithId({ db, merchants }, id))
  if (records.length === 0) throw new UsageError(describeUnknownId(id))
  if (options.json) return printJson({ id, records: records.map(withoutBars) })
  records.forEach((record, index) => {
    if (index > 0) print()
    for (const line of formatRecord(record, process.stdout.columns)) print(line)
  })
}
