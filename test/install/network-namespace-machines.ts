import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { nodeFlags } from '../../src/operations/node-flags.ts'

const run = promisify(execFile)
const ip = (command: string) => run('ip', command.split(' '))

const PORT = 8080

/** A network of machines: each is a network namespace of Linux, on one bridge with the host. Needs root. */
export class MachineNetwork implements AsyncDisposable {
  readonly #prefix: string
  /** The first three numbers of the addresses. */
  readonly #subnet: string
  readonly #machines: NamespaceMachine[] = []

  private constructor() {
    this.#prefix = `fc${process.pid}`
    this.#subnet = `10.213.${process.pid % 256}`
  }

  /** The host's address in the network. */
  get hostAddress(): string {
    return `${this.#subnet}.1`
  }

  static async create(): Promise<MachineNetwork> {
    const network = new MachineNetwork()
    await ip(`link add ${network.#prefix} type bridge`)
    await ip(`address add ${network.hostAddress}/24 dev ${network.#prefix}`)
    await ip(`link set ${network.#prefix} up`)
    return network
  }

  /** Adds a machine. Its server has the configuration file `forecourt.yaml` of this folder, and its data there. */
  async addMachine(directory: string): Promise<NamespaceMachine> {
    const number = this.#machines.length + 1
    const name = `${this.#prefix}m${number}`
    const machine = new NamespaceMachine(name, `${this.#subnet}.${10 + number}`, directory)
    this.#machines.push(machine)
    await ip(`netns add ${name}`)
    await ip(`link add ${name} type veth peer name eth0 netns ${name}`)
    await ip(`link set ${name} master ${this.#prefix} up`)
    await ip(`-n ${name} address add ${machine.address}/24 dev eth0`)
    await ip(`-n ${name} link set eth0 up`)
    await ip(`-n ${name} link set lo up`)
    return machine
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const machine of this.#machines) {
      await machine.kill()
      await ip(`netns delete ${machine.name}`)
    }
    await ip(`link delete ${this.#prefix}`)
  }
}

/** A machine with one server, which may have workers. */
export class NamespaceMachine {
  /** The name of its namespace, and of its cable at the host's end. */
  readonly name: string
  readonly address: string
  readonly #directory: string
  #server: ChildProcess | undefined

  constructor(name: string, address: string, directory: string) {
    this.name = name
    this.address = address
    this.#directory = directory
  }

  /** Host and port of the API. */
  get endpoint(): string {
    return `${this.address}:${PORT}`
  }

  /** Connects the machine and starts a server, by the path of its main file. Resolves when it is ready. */
  async start(main: string): Promise<void> {
    await ip(`link set ${this.name} up`)
    const log = join(this.#directory, 'server.log')
    const output = openSync(log, 'a')
    const server = [process.execPath, ...nodeFlags, main, 'serve', '--config', join(this.#directory, 'forecourt.yaml')]
    const settings = { FORECOURT_HOST: this.address, PORT: String(PORT), FORECOURT_DATA: this.#directory }
    // Releases without workers ignore it.
    const env = { ...process.env, ...settings, FORECOURT_WORKERS: '2' }
    const child = spawn('ip', ['netns', 'exec', this.name, ...server], { env, stdio: ['ignore', output, output] })
    this.#server = child
    while (!(await this.#isReady())) {
      if (child.exitCode !== null) throw new Error(readFileSync(log, 'utf8').slice(-2_000))
      await pause(50)
    }
  }

  /** Ends the server as a supervisor does. */
  async stop(): Promise<void> {
    const exited = once(this.#server!, 'exit')
    this.#server!.kill('SIGTERM')
    const [code] = await exited
    if (code !== 0) throw new Error(`the server of ${this.name} exited with ${code}`)
  }

  /** Kills all processes. */
  async kill(): Promise<void> {
    const killed = new Set<string>()
    for (;;) {
      const { stdout } = await ip(`netns pids ${this.name}`)
      const pids = stdout.split('\n').filter(Boolean)
      for (const pid of pids) killed.add(pid)
      if (pids.length === 0 && [...killed].every(hasEnded)) return
      if (pids.length > 0)
        await run('kill', ['-KILL', ...pids]).catch(() => {
          // One of them has ended meanwhile.
        })
      await pause(10)
    }
  }

  /** Pulls the cable first, so that nobody hears of the end of its connections. */
  async losePower(): Promise<void> {
    await ip(`link set ${this.name} down`)
    await this.kill()
  }

  #isReady(): Promise<boolean> {
    return fetch(`http://${this.endpoint}/readyz`, { signal: AbortSignal.timeout(30_000) }).then(
      (reply) => reply.ok,
      () => false,
    )
  }
}

/**
 * A process leaves its namespace before its sockets are closed, and its first thread may end before the others: it has ended when it is gone,
 * or is a zombie with one thread.
 */
function hasEnded(pid: string): boolean {
  try {
    const isZombie = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.startsWith('Z')
    return isZombie && readdirSync(`/proc/${pid}/task`).length === 1
  } catch {
    return true
  }
}
