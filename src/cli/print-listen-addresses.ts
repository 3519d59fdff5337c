import type { Config } from '../config/config.ts'
import type { ServerAddresses } from '../runtime/server-addresses.ts'
import { print } from './print.ts'

/** Prints where a server listens. */
export function printListenAddresses(
  { address, operationsAddress, metricsAddress }: ServerAddresses,
  config: Config,
): void {
  const workers = config.workers === undefined ? '' : `, workers: ${config.workers}`
  print(`Forecourt is ready at ${address} for ${config.merchants.map(({ merchant }) => merchant).join(', ')}${workers}`)
  if (operationsAddress) print(`Operations pages at ${config.operations?.url ?? operationsAddress}`)
  if (metricsAddress) print(`Metrics at ${metricsAddress}`)
}
