import { adapters } from '../adapters.ts'
import type { Config, MerchantConfig, SystemsConfig } from '../config/config.ts'
import { readConfig } from '../config/read-config.ts'
import { redactStoreAddress } from '../config/store-address.ts'
import { print } from './print.ts'

/** Prints what a configuration file sets, or throws every mistake in it. */
export function runConfigCheck(file: string): void {
  print(formatSummary(file, readConfig(file, adapters)))
}

function formatSummary(file: string, config: Config): string {
  return [
    `${file} is valid.`,
    `  listens on ${config.listen.host}:${config.listen.port}, store ${redactStoreAddress(config.store)}`,
    ...config.merchants.flatMap((merchant) => [
      `  ${merchant.merchant} (${merchant.name})`,
      `    live     ${formatSystems(merchant.live) || 'none'}`,
      `    sandbox  ${formatSandbox(merchant, config)}`,
    ]),
  ].join('\n')
}

function formatSandbox({ sandbox, sandboxFitment }: MerchantConfig, { embeddedSandbox }: Config): string {
  if (sandbox) return formatSystems(sandbox) || 'none'
  if (embeddedSandbox === false) return 'off (embedded_sandbox: true runs the embedded back office for sandbox keys)'
  const fitment = sandboxFitment ? `, ${formatSystems({ fitment: sandboxFitment })}` : ''
  return `embedded back office${fitment}`
}

const formatSystems = (systems: SystemsConfig): string =>
  Object.entries(systems)
    .map(([name, system]) =>
      system === 'imported' ? `${name}: imported` : `${name}: ${system.adapter} ${system.address}`,
    )
    .join(', ')
