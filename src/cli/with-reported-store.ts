import { Agent, request } from 'undici'
import { redactStoreAddress } from '../config/store-address.ts'
import type { Database } from '../storage/database.ts'
import { readStoreId } from '../storage/store-id.ts'
import type { CommandConfig } from './command-config.ts'
import { toReachableUrl } from './local-api-url.ts'
import { hasStore, withStore } from './with-store.ts'

/** A server checks its store for up to a second before it responds. */
const HEALTH_TIMEOUT_MS = 5_000

/** The store that a command has written to. */
export interface CommandStore {
  address: string
  isNew: boolean
  /** The URL of a server that listens where the configuration says, and uses another store. */
  otherServer: string | null
}

/** Runs a command's work on a store, which is created if it does not exist, and reports which store that was. */
export async function withReportedStore<T>(
  { store, listen }: CommandConfig,
  work: (db: Database) => Promise<T>,
): Promise<{ result: T; store: CommandStore }> {
  const isNew = !hasStore(store)
  return withStore(store, async (db) => {
    const result = await work(db)
    const otherServer = await findServerOfAnotherStore(listen, await readStoreId(db))
    return { result, store: { address: redactStoreAddress(store), isNew, otherServer } }
  })
}

export const formatStore = ({ address, isNew }: CommandStore): string =>
  `Store: ${address}${isNew ? ', created by this command' : ''}`

/** `consequence`: what the other server does, such as "refuses this key". */
export const listStoreWarnings = ({ otherServer }: CommandStore, consequence: string): string[] =>
  otherServer === null
    ? []
    : [
        `The server at ${otherServer} uses another store and ${consequence}. For its store, run this command with its FORECOURT_DATA, or name its configuration with --config.`,
      ]

async function findServerOfAnotherStore(listen: CommandConfig['listen'], id: string): Promise<string | null> {
  if (listen.port === 0) return null
  const url = toReachableUrl(listen)
  const otherId = await readServerStoreId(url)
  return otherId === null || otherId === id ? null : url
}

/**
 * Returns `null` when no server listens, or another program. Every certificate is accepted, because a certificate for a public name is not
 * valid for a loopback address, and the request has no secret.
 */
async function readServerStoreId(url: string): Promise<string | null> {
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } })
  try {
    const { body } = await request(`${url}/health`, { dispatcher, signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) })
    const { checks } = (await body.json()) as { checks?: { store?: { id?: unknown } } }
    return typeof checks?.store?.id === 'string' ? checks.store.id : null
  } catch {
    return null
  } finally {
    await dispatcher.destroy()
  }
}
