import { adapters } from '../adapters.ts'
import { type Config, readConfig, type SystemConfig } from '../config/config.ts'
import { redactStoreAddress } from '../config/store-address.ts'
import { print } from './print.ts'

export function runConfigCheck(file: string): void {
  print(summary(file, readConfig(file, adapters)))
}

function summary(file: string, config: Config): string {
  const lines = config.merchants.flatMap(({ merchant, name, live, sandbox, sandboxFitment }) => [
    `  ${merchant} (${name})`,
    `    live     ${systemsLine(live)}`,
    `    sandbox  ${sandbox ? systemsLine(sandbox) : ['embedded back office', systemsLine({ ...(sandboxFitment && { fitment: sandboxFitment }) }, '')].filter(Boolean).join(', ')}`,
  ])
  return [
    `${file} is well.`,
    `  listens on ${config.listen.host}:${config.listen.port}, store ${redactStoreAddress(config.store)}`,
    ...lines,
  ].join('\n')
}

function systemsLine(systems: Config['merchants'][number]['live'], none = 'none'): string {
  const named = Object.entries(systems as Record<string, SystemConfig | 'imported'>).map(([system, of]) =>
    of === 'imported' ? `${system}: imported` : `${system}: ${of.adapter} ${of.address}`,
  )
  return named.join(', ') || none
}
