import { createMerchantDirectory } from '../../console/merchant-directory.ts'
import { normalizeRequestId, readRequestRecordViews } from '../../console/pages/request-record-views.ts'
import { unrecordedRequestText } from '../../console/text/unrecorded-request-text.ts'
import { type CommandConfig, readCommandConfig } from '../command-config.ts'
import { demoMerchant } from '../demo/demo-config.ts'
import { print, printJson } from '../print.ts'
import { UsageError } from '../usage-error.ts'
import { type StoreCommandOptions, withExistingStore } from '../with-store.ts'
import { formatRecord, withoutBars } from './format-record.ts'

/** Prints what the page of a request says of it. */
export async function runWhy(requestId: string, options: StoreCommandOptions): Promise<void> {
  const id = normalizeRequestId(requestId)
  if (id === '') throw new UsageError('Give the request id, from the header X-Request-Id or from request_id')
  const config = readCommandConfig(options.config)
  const merchants = createMerchantDirectory(listMerchants(config), Date.now)
  const records = await withExistingStore(config.store, (db) => readRequestRecordViews({ db, merchants }, id))
  if (records.length === 0) throw new UsageError(describeUnknownId(id))
  if (options.json) return printJson({ id, records: records.map(withoutBars) })
  records.forEach((record, index) => {
    if (index > 0) print()
    for (const line of formatRecord(record, process.stdout.columns)) print(line)
  })
}

const listMerchants = ({ merchants, merchantConfig }: CommandConfig) =>
  merchants.map((merchant) => merchantConfig(merchant) ?? demoMerchant)

function describeUnknownId(id: string): string {
  const { lead, kinds, retention, reasons } = unrecordedRequestText
  return [
    `There is no record of a request with the id ${id}. ${lead}`,
    ...kinds.map(([kind, meaning]) => `- ${kind}: ${meaning}`),
    retention,
    'Possible reasons:',
    ...reasons.map((reason) => `- ${reason}`),
  ].join('\n')
}
