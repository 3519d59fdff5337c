import { LRUCache } from 'lru-cache'
import { type buildConnector, Pool } from 'undici'

/** More than are sent to at a time, so that who is let go of is idle, or nearly. */
const ORIGINS = 512
/** A hung path of an origin leaves some to its others. */
const CONNECTIONS_EACH = 192
/** Shorter than servers keep idle connections (some 2 s, most 5 s): what is written as they close one is lost. */
const IDLE_MS = 1_000
const HEADER_BYTES = 16_384

export interface ConnectionPools extends AsyncDisposable {
  /** The connections to an origin. Call it for each request. */
  of(origin: string): Pool
}

/** What is under way goes on to its end; one that was destroyed says so again when it is closed. */
const close = (pool: Pool) => void pool.close().catch(() => {})

/** Keeps connections open between requests, HTTP/1.1 and one request at a time each; lets go of those that idle. */
export function createConnectionPools(connect: buildConnector.connector): ConnectionPools {
  const pools = new LRUCache<string, Pool>({ max: ORIGINS, dispose: close })

  function make(origin: string): Pool {
    const pool = new Pool(origin, {
      ...{ connect, connections: CONNECTIONS_EACH, pipelining: 1, allowH2: false, maxHeaderSize: HEADER_BYTES },
      ...{ keepAliveTimeout: IDLE_MS, keepAliveMaxTimeout: IDLE_MS, headersTimeout: 0, bodyTimeout: 0 },
    })
    const letGo = () => {
      const { connected, running, pending, queued } = pool.stats
      if (connected + running + pending + queued === 0 && pools.peek(origin) === pool) pools.delete(origin)
    }
    pools.set(origin, pool.on('disconnect', letGo).on('connectionError', letGo))
    return pool
  }

  return {
    of: (origin) => pools.get(origin) ?? make(origin),
    async [Symbol.asyncDispose]() {
      const left = [...pools.values()]
      await Promise.all(left.map((pool) => pool.destroy()))
      pools.clear()
    },
  }
}
