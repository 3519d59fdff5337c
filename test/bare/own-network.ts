import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ip = (command: string) => run('ip', command.split(' '))

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
export class OwnNetwork implements AsyncDisposable {
  readonly path: string
  readonly #stack: AsyncDisposableStack

  private constructor(name: string, stack: AsyncDisposableStack) {
    this.#stack = stack
    this.path = `/run/netns/${name}`
  }

  /** `address`: the server, which has the same address in the network. */
  static async create(address: string, folder: string): Promise<OwnNetwork> {
    await using stack = new AsyncDisposableStack()
    const name = `fcbare${process.pid}`
    await ip(`netns add ${name}`)
    stack.defer(async () => void (await ip(`netns delete ${name}`)))
    await ip(`-n ${name} link set lo up`)
    const { hostname, port } = new URL(address)
    const path = `${folder}/back-office.sock`
    const server = createServer((from) => {
      const to = connect(Number(port), hostname)
      from.on('error', () => to.destroy()).pipe(to)
      to.on('error', () => from.destroy()).pipe(from)
    }).listen(path)
    await once(server, 'listening')
    stack.defer(async () => {
      server.close()
      await rm(path, { force: true })
    })
    const network = new OwnNetwork(name, stack.move())
    const relay = network.spawn([process.execPath, '-e', RELAY, port, path])
    network.#stack.defer(() => void relay.kill('SIGKILL'))
    await once(relay.stdout!, 'data')
    return network
  }

  /** Prefixes a command, so that it runs in the network. */
  enter = (command: readonly string[]): string[] => ['nsenter', `--net=${this.path}`, ...command]

  spawn(command: readonly string[]): ChildProcess {
    const [file, ...args] = this.enter(command)
    return spawn(file!, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync()
  }
}
