import { LRUCache } from 'lru-cache'
import { type buildConnector, Pool } from 'undici'

/** More than are in use at a time, so that an evicted origin is idle, or nearly. */
const MAX_ORIGINS = 512
/** A hung path of an origin leaves some for its other paths. */
const MAX_CONNECTIONS_PER_ORIGIN = 192
/** Shorter than servers keep idle connections (some 2 s, most 5 s): a request written while the server closes one is lost. */
const IDLE_MS = 1_000
const MAX_HEADER_BYTES = 16_384

export interface ConnectionPools extends AsyncDisposable {
  /** Returns the connections to an origin. Call it for each request. */
  of(origin: string): Pool
}

/** Closes a pool after its requests. Closing one that was destroyed fails, which is harmless. */
const close = (pool: Pool) => void pool.close().catch(() => {})

/** Keeps connections open between requests, HTTP/1.1 with one request at a time each, and drops the pools of idle origins. */
export function createConnectionPools(connect: buildConnector.connector): ConnectionPools {
  const pools = new LRUCache<string, Pool>({ max: MAX_ORIGINS, dispose: close })

  function createPool(origin: string): Pool {
    const pool = new Pool(origin, {
      connect,
      connections: MAX_CONNECTIONS_PER_ORIGIN,
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const dropIfIdle = () => {
      const { connected, running, pending, queued } = pool.stats
      if (connected + running + pending + queued === 0 && pools.peek(origin) === pool) pools.delete(origin)
    }
    pools.set(origin, pool.on('disconnect', dropIfIdle).on('connectionError', dropIfIdle))
    return pool
  }

  return {
    of: (origin) => pools.get(origin) ?? createPool(origin),
    async [Symbol.asyncDispose]() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
      pools.clear()
    },
  }
}
