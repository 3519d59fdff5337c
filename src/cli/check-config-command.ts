import { adapters } from '../adapters.ts'
import type { Config, MerchantConfig, SystemsConfig } from '../config/config.ts'
import { readConfig } from '../config/read-config.ts'
import { redactStoreAddress } from '../config/store-address.ts'
import { readTlsPair } from '../config/tls-files.ts'
import { print } from './print.ts'

/** Prints what a configuration file sets, or throws every mistake in it. */
export function runConfigCheck(file: string): void {
  const config = readConfig(file, adapters)
  if (config.listen.tls) readTlsPair(config.listen.tls)
  print(formatSummary(file, config))
}

function formatSummary(file: string, config: Config): string {
  return [
    `${file} is valid.`,
    `  listens on ${config.listen.host}:${config.listen.port}${config.listen.tls ? ' with TLS' : ''}, store ${redactStoreAddress(config.store)}`,
    ...config.merchants.flatMap((merchant) => [
      `  ${merchant.merchant} (${merchant.name})`,
      `    live     ${formatSystems(merchant.live) || 'none'}`,
      `    sandbox  ${formatSandbox(merchant)}`,
    ]),
  ].join('\n')
}

function formatSandbox({ sandbox, sandboxFitment }: MerchantConfig): string {
  if (sandbox) return formatSystems(sandbox) || 'none'
  const fitment = sandboxFitment ? `, ${formatSystems({ fitment: sandboxFitment })}` : ''
  return `embedded back office${fitment}`
}

const formatSystems = (systems: SystemsConfig): string =>
  Object.entries(systems)
    .map(([name, system]) =>
      system === 'imported' ? `${name}: imported` : `${name}: ${system.adapter} ${system.address}`,
    )
    .join(', ')
