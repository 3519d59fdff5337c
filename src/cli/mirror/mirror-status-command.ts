import { catalogPartNames } from '../../catalog/mirror/file/catalog-part-names.ts'
import { inspectMirror, type MirrorInspection } from '../../changes/mirror/inspect-mirror.ts'
import { readStoreTime } from '../../storage/store-clock.ts'
import { readCommandConfig } from '../command-config.ts'
import { formatCountedNoun, formatThousands } from '../format-counts.ts'
import { print, printJson } from '../print.ts'
import { printTable } from '../table.ts'
import { withExistingStore } from '../with-store.ts'
import { listMirroredTenants, type MirrorCommandOptions } from './mirror-tenants.ts'

const BYTES_PER_MIB = 1_048_576

/** Prints how current the mirrors of this machine are. */
export async function runMirrorStatus(merchant: string | undefined, options: MirrorCommandOptions): Promise<void> {
  const config = readCommandConfig(options.config)
  const tenants = listMirroredTenants(config, merchant, options)
  const { dataDirectory, store } = config
  const { now, found } = await withExistingStore(store, async (db) => {
    const now = await readStoreTime(db)
    const found: MirrorInspection[] = []
    for (const tenant of tenants) found.push(await inspectMirror({ db, tenant, dataDirectory, now: () => now }))
    return { now, found }
  })
  if (options.json) return printJson(found)
  if (found.length === 0) print('No merchant has a mirror.')
  for (const inspection of found) printInspection(inspection, now)
}

function printInspection({ merchant, mode, path, file, damage, parts }: MirrorInspection, now: number): void {
  print(`${merchant} ${mode}: ${file ? path : `no mirror yet (${path})`}`)
  if (damage !== null) print(`  The file is damaged (${damage}). A running server replaces it.`)
  if (file)
    print(
      `  ${formatCountedNoun(file.rows, 'SKU')}, ${formatThousands(Math.ceil(file.bytes / BYTES_PER_MIB))} MiB, sequence ${file.sequence}, lag ${formatSeconds(file.lagMs)}`,
    )
  printTable(
    ['  part', 'state', 'age', 'failure'],
    catalogPartNames.map((name) => {
      const part = parts.find((one) => one.name === name)
      const age = part?.asOf ? formatSeconds(now - Date.parse(part.asOf)) : '-'
      const failure = part?.failure ? `${part.failure} since ${part.failingSince}` : '-'
      return [`  ${name}`, part?.filledAt ? 'filled' : 'not filled', age, failure]
    }),
  )
}

const formatSeconds = (ms: number): string => `${Math.round(Math.max(0, ms) / 1_000)} s`
