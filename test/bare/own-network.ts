import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'

/** Runs in the network: connections to the port of the back office go through a socket file, which all networks can reach. */
const RELAY = `
const [port, path] = process.argv.slice(1)
const { connect, createServer } = require('node:net')
createServer((from) => {
  const to = connect(path)
  from.on('error', () => to.destroy()).pipe(to)
  to.on('error', () => from.destroy()).pipe(from)
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('listening'))
`

/** A network of Linux's own with nothing but a loopback device, so that the default ports of the docs are free, and with one server of this machine. */
export class OwnNetwork implements Disposable {
  readonly #relay: ChildProcess
  readonly #server: Server

  private constructor(relay: ChildProcess, server: Server) {
    this.#relay = relay
    this.#server = server
  }

  /** `address`: the server, which has the same address in the network. */
  static async create(address: string, folder: string): Promise<OwnNetwork> {
    const { hostname, port } = new URL(address)
    const path = `${folder}/back-office.sock`
    const server = createServer((from) => {
      const to = connect(Number(port), hostname)
      from.on('error', () => to.destroy()).pipe(to)
      to.on('error', () => from.destroy()).pipe(from)
    }).listen(path)
    await once(server, 'listening')
    const relay = ['sh', '-c', 'ip link set lo up && exec "$@"', 'relay', process.execPath, '-e', RELAY, port, path]
    const child = spawn('unshare', ['--net', ...relay], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    return new OwnNetwork(child, server)
  }

  /** Prefixes a command, so that it runs in the network. */
  enter(command: readonly string[]): string[] {
    return ['nsenter', `--net=/proc/${this.#relay.pid}/ns/net`, ...command]
  }

  [Symbol.dispose](): void {
    this.#relay.kill('SIGKILL')
    this.#server.close()
  }
}
