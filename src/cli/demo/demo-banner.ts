import type { Config } from '../../config/config.ts'
import { DEMO_LIVE_ACCOUNT } from '../embedded-systems.ts'
import { tokenFileIn } from '../sandbox-token.ts'
import { formatListenCommand, formatSandboxCommand } from '../suggested-command-lines.ts'
import type { DemoKeys } from './demo-keys.ts'
import type { DemoOperator } from './demo-operator.ts'

export interface DemoBannerParts {
  address: string
  operationsAddress: string | null
  operator: DemoOperator
  keys: DemoKeys
  systems: readonly { system: string; pid: number; address: string }[]
  firstPort: number
  config: Config
  startMs: number
}

/** Returns what a newcomer needs: addresses, keys and commands to try. */
export function formatDemoBanner(parts: DemoBannerParts): string {
  const { address, keys, systems, firstPort, config, startMs } = parts
  const systemLines = systems.map(({ system, pid, address: url }) => `  ${system.padEnd(11)} ${url}   pid ${pid}`)
  const sandbox = formatSandboxCommand(firstPort)
  const pricing = systems.find(({ system }) => system === 'pricing')
  return `
Forecourt is ready at ${address}   (${(startMs / 1_000).toFixed(1)} s)

  Shop             ${address}/shop
  API reference    ${address}/docs#key=${keys.publishable}
  publishable key  ${keys.publishable}
  secret key       ${keys.secret}

Try it:
  curl -s -H 'Authorization: Bearer ${keys.publishable}' '${address}/v1/products?limit=2'

Shoppers to sign in as: ${sandbox} outcomes lists shoppers, products and promotion codes; docs/storefront-guide.md has the calls

The embedded back office:
${systemLines.join('\n') || '  already running'}
  account ${DEMO_LIVE_ACCOUNT}, for a merchant of your own; token in ${tokenFileIn(config.dataDirectory)}

Watch events, in another terminal (${sandbox} --help lists the commands that cause them):
  ${formatListenCommand(address, config.dataDirectory)}
  ${sandbox} ship SO-100106

Make a section fail:
  curl -s -H 'Authorization: Bearer ${keys.publishable}' -H 'X-Sandbox-Fault: pricing=timeout' '${address}/v1/products/BP-1001'
  ${sandbox} fault pricing --hang        (after a minute, prices are marked as stale; --clear ends it)${pricing ? `\n  kill -STOP ${pricing.pid}` : ''}

${formatConsoleLine(parts)}Log ${config.log.file} · Ctrl-C stops
`
}

const formatConsoleLine = ({ operationsAddress, operator }: DemoBannerParts) =>
  operationsAddress === null
    ? ''
    : `Operations pages: ${operationsAddress}   sign in as ${operator.name} with ${operator.password}\n\n`
