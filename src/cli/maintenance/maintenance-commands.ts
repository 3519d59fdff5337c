import { type PortName, portNames } from '../../ports/system.ts'
import {
  endMaintenance,
  listMaintenance,
  MAX_MAINTENANCE_MS,
  type Maintenance,
  startMaintenance,
} from '../../storage/operators/system-maintenance.ts'
import { transact } from '../../storage/transact.ts'
import type { Tenant } from '../../tenant.ts'
import { auditCommand, readAccountName } from '../command-audit.ts'
import { type CommandConfig, readCommandConfig, requireTenant } from '../command-config.ts'
import { parseExpiryOption, parseSystem } from '../parse-option.ts'
import { print, printJson } from '../print.ts'
import { printTable } from '../table.ts'
import { UsageError } from '../usage-error.ts'
import { type StoreCommandOptions, withExistingStore } from '../with-store.ts'

export interface MaintenanceOptions extends StoreCommandOptions {
  mode: string
}

/** Begins maintenance of a system. All processes follow within a second. */
export async function runMaintenanceStart(
  merchant: string,
  systemName: string,
  options: MaintenanceOptions & { until: string },
): Promise<void> {
  const config = readCommandConfig(options.config)
  const { tenant, system } = requireSystem(config, merchant, systemName, options)
  const until = parseExpiryOption('--until', options.until)
  const now = Date.now()
  if (Date.parse(until) > now + MAX_MAINTENANCE_MS)
    throw new UsageError(`--until takes a time within the next 7 days, not ${options.until}`)
  const maintenance: Maintenance = { ...tenant, system, untilMs: Date.parse(until), by: describeAccount() }
  await withExistingStore(config.store, (db) =>
    transact(db, async (transaction) => {
      await startMaintenance(transaction, maintenance, now)
      await auditCommand(transaction, 'maintenance.start', { ...tenant, system, until })
    }),
  )
  if (options.json) return printJson(toJson(maintenance))
  print(`${system} of ${merchant} (${tenant.mode}) is under planned maintenance until ${until}.`)
}

export async function runMaintenanceEnd(
  merchant: string,
  systemName: string,
  options: MaintenanceOptions,
): Promise<void> {
  const config = readCommandConfig(options.config)
  const { tenant, system } = requireSystem(config, merchant, systemName, options)
  const hasEnded = await withExistingStore(config.store, (db) =>
    transact(db, async (transaction) => {
      const ended = await endMaintenance(transaction, { ...tenant, system, by: describeAccount() }, Date.now())
      if (ended) await auditCommand(transaction, 'maintenance.end', { ...tenant, system })
      return ended
    }),
  )
  const name = `${system} of ${merchant} (${tenant.mode})`
  if (!hasEnded) throw new UsageError(`${name} is not under maintenance`)
  if (options.json) return printJson({ ...tenant, system })
  print(`The maintenance of ${name} has ended.`)
}

export async function runMaintenanceList(options: StoreCommandOptions): Promise<void> {
  const { store } = readCommandConfig(options.config)
  const all = (await withExistingStore(store, (db) => listMaintenance(db, Date.now()))).map(toJson)
  if (options.json) return printJson(all)
  if (all.length === 0) return print('No system is under maintenance.')
  printTable(
    ['MERCHANT', 'MODE', 'SYSTEM', 'UNTIL', 'BY'],
    all.map(({ merchant, mode, system, until, by }) => [merchant, mode, system, until, by]),
  )
}

function requireSystem(
  config: CommandConfig,
  merchant: string,
  systemName: string,
  { mode }: MaintenanceOptions,
): { tenant: Tenant; system: PortName } {
  const system = parseSystem(systemName, portNames)
  const tenant = requireTenant(config, { merchant, mode })
  const settings = config.merchantConfig(merchant)
  const configured = settings && (tenant.mode === 'live' ? settings.live : settings.sandbox)
  if (configured && !configured[system])
    throw new UsageError(`${config.name} has no ${system} for ${merchant} (${tenant.mode})`)
  return { tenant, system }
}

const describeAccount = () => `${readAccountName()} (command line)`

const toJson = ({ untilMs, ...maintenance }: Maintenance) => ({
  ...maintenance,
  until: new Date(untilMs).toISOString(),
})
