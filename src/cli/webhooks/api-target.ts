import { readDefaultConfig } from '../../config/conversion/default-config.ts'
import { environment } from '../../config/environment/process-environment.ts'
import { forecourtCommand } from '../../installed-command-line.ts'
import { readDemoKeys } from '../demo/demo-keys.ts'
import { readLocalApiUrl } from '../local-api-url.ts'
import { UsageError } from '../usage-error.ts'

/** A running API and the key for it. */
export interface ApiTarget {
  address: string
  key: string
  /** The data directory that the demo's key comes from; `null`: the key was given. */
  demoKeyDirectory: string | null
}

/** Resolves the API and its key from options and environment. The demo's key is used only for an API on this machine. */
export function resolveApiTarget(options: { api?: string; key?: string }): ApiTarget {
  const address = (options.api ?? readLocalApiUrl()).replace(/\/+$/, '')
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--api takes a URL such as ${readLocalApiUrl()}, not "${address}"`)
  const key = options.key ?? environment.FORECOURT_KEY
  if (key) return { address, key, demoKeyDirectory: null }
  const isLocal = options.api === undefined || ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  const { dataDirectory } = readDefaultConfig()
  const demoKey = isLocal ? readDemoKeys(dataDirectory).secret : undefined
  if (demoKey) return { address, key: demoKey, demoKeyDirectory: dataDirectory }
  const demoHint = isLocal ? `. ${describeMissingDemoKey(dataDirectory)}` : ''
  throw new UsageError(`Give a secret key with --key or FORECOURT_KEY${demoHint}`)
}

/** Explains why the key of a running demo may not be found. */
export const DATA_DIRECTORY_HINT =
  'If the demo runs with another data directory, set FORECOURT_DATA to that directory here too'

const describeMissingDemoKey = (dataDirectory: string) =>
  `Or start the demo here to use its key: ${forecourtCommand} demo. There is no demo key in ${dataDirectory}. ${DATA_DIRECTORY_HINT}`
