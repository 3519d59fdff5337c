import type { Config } from '../../config/config.ts'
import { formatListenCommand, formatSandboxCommand } from '../command-hints.ts'
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
  /** That it took to start. */
  ms: number
}

/** What a newcomer needs: addresses, keys, and lines to try. */
export function formatDemoBanner({ address, keys, systems, firstPort, config, ms, ...shown }: DemoBannerParts): string {
  const running = systems.map(({ system, pid, address: at }) => `  ${system.padEnd(11)} ${at}   pid ${pid}`)
  const { dataDirectory } = config
  const sandbox = formatSandboxCommand(firstPort)
  const pricing = systems.find(({ system }) => system === 'pricing')
  return `
Forecourt is ready at ${address}   (${(ms / 1_000).toFixed(1)} s)

  publishable key  ${keys.publishable}
  secret key       ${keys.secret}

Try it:
  curl -s -H 'Authorization: Bearer ${keys.publishable}' '${address}/v1/products?limit=2'

Shop (sign in, a cart, a checkout): ${sandbox} outcomes lists shoppers, goods and codes; the README has the calls

The back office behind it:
${running.join('\n') || '  already running'}

Watch events arrive, in another terminal (${sandbox} --help lists what makes them):
  ${formatListenCommand(address, dataDirectory)}
  ${sandbox} ship SO-100106

Make a section fail:
  curl -s -H 'Authorization: Bearer ${keys.publishable}' -H 'X-Sandbox-Fault: pricing=timeout' '${address}/v1/products/BP-1001'
  ${sandbox} fault pricing --hang        (and --clear)${pricing ? `\n  kill -STOP ${pricing.pid}` : ''}

${onCall(shown)}Reference ${address}/docs · log ${config.log.file} · Ctrl-C stops
`
}

const onCall = ({ operationsAddress, operator }: Pick<DemoBannerParts, 'operationsAddress' | 'operator'>) =>
  operationsAddress === null
    ? ''
    : `See it as those on call do: ${operationsAddress}   sign in as ${operator.name} with ${operator.password}\n\n`
