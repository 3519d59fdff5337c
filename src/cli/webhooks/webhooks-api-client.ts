import { join } from 'node:path'
import { environment, readDefaultConfig } from '../../config/config.ts'
import { readLocalApiUrl } from '../command-hints.ts'
import { readDemoKeys } from '../demo/demo-keys.ts'
import { UsageError } from '../usage-error.ts'

const PATIENCE_MS = 15_000

/** A running API, and who asks. */
export interface ApiTarget {
  address: string
  key: string
  /** The data folder that the demo's key is kept in; `null`: the key was given. */
  kept: string | null
}

/** From the command line and the environment. The demo's own key is for an API on this machine alone. */
export function resolveApiTarget(options: { api?: string; key?: string }): ApiTarget {
  const address = (options.api ?? readLocalApiUrl()).replace(/\/+$/, '')
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--api takes a URL such as ${readLocalApiUrl()}, not "${address}"`)
  const given = options.key ?? environment.FORECOURT_KEY
  if (given) return { address, key: given, kept: null }
  const here = options.api === undefined || ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  const { dataDirectory } = readDefaultConfig()
  const key = here ? readDemoKeys(dataDirectory).secret : undefined
  if (key) return { address, key, kept: dataDirectory }
  const demo = here ? `. ${noKeysIn(dataDirectory)}` : ''
  throw new UsageError(`Give a secret key with --key or FORECOURT_KEY${demo}`)
}

const OTHER_FOLDER = 'When the demo runs with another data folder, set FORECOURT_DATA to that folder here too'

const noKeysIn = (dataDirectory: string) =>
  `Or start the demo here, whose key is taken: npx forecourt demo. It has kept none in ${dataDirectory}. ${OTHER_FOLDER}`

export interface WebhooksApiResponse {
  status: number
  body: { [member: string]: unknown; code?: string; detail?: unknown }
}

export async function callWebhooksApi(
  { address, key }: ApiTarget,
  method: string,
  path: string,
  body?: object,
): Promise<WebhooksApiResponse> {
  const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
  const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  let answer: Response
  try {
    answer = await fetch(`${address}/v1/webhooks${path}`, { ...sent, signal: AbortSignal.timeout(PATIENCE_MS) })
  } catch {
    throw new UsageError(`No API answers at ${address}. Start one with: npx forecourt demo (or name it with --api)`)
  }
  const text = await answer.text()
  try {
    return { status: answer.status, body: text === '' ? {} : JSON.parse(text) }
  } catch {
    throw new UsageError(`What answers at ${address} is not a Forecourt. Name one with --api`)
  }
}

/** Of the key. */
export function createKeyRefusedError({ address, kept }: ApiTarget): UsageError {
  if (kept === null) return new UsageError(`The API at ${address} refuses the key. Give a secret key with --key`)
  const file = join(kept, 'demo-keys.json')
  return new UsageError(
    `The API at ${address} refuses the key of ${file}. ${OTHER_FOLDER}; or give a secret key with --key`,
  )
}
