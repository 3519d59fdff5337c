import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { OwnNetwork } from './own-network.ts'
import { RunningScript } from './running-script.ts'

const run = promisify(execFile)
const BOOT_TIMEOUT_MS = 600_000

/** As an administrator's shell has it. */
const environment = {
  HOME: '/root',
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  // A machine behind a proxy that inspects TLS trusts another certificate authority.
  ...(process.env.NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS }),
}

let made: Promise<string> | undefined

/** Debootstraps a Debian with curl, systemd and Node, once for all tests. */
export const bareDebian = () => (made ??= debootstrap(join(tmpdir(), 'debian')))

async function debootstrap(root: string): Promise<string> {
  const script = join(import.meta.dirname, 'build-bare-debian.sh')
  await run('bash', [script, root, 'curl', 'systemd-sysv'], { maxBuffer: 2 ** 28 })
  return root
}

/** A Debian of its own over the bare one: what is written there changes only this one. run.sh removes it, with all mounts. */
export class BareDebian implements AsyncDisposable {
  readonly root: string
  readonly #network: OwnNetwork
  #container: ChildProcess | undefined
  /** Options of nsenter for a Debian that was booted. */
  #namespaces: string[] = []

  private constructor(root: string, network: OwnNetwork) {
    this.root = root
    this.#network = network
  }

  static async create(name: string, network: OwnNetwork): Promise<BareDebian> {
    const base = await bareDebian()
    const folder = join(tmpdir(), name)
    const [root, upper, work] = ['root', 'upper', 'work'].map((name) => join(folder, name))
    for (const path of [root!, upper!, work!]) await mkdir(path, { recursive: true })
    const debian = new BareDebian(root!, network)
    await debian.#mount('-t', 'overlay', 'overlay', '-o', `lowerdir=${base},upperdir=${upper},workdir=${work}`, root!)
    // The certificates that this machine trusts, and what npm has downloaded already.
    await debian.#bind('/etc/ssl/certs')
    await mkdir(join(homedir(), '.npm'), { recursive: true })
    await debian.#bind(join(homedir(), '.npm'), '/root/.npm')
    await run('cp', ['-L', '/etc/resolv.conf', join(root!, 'etc/resolv.conf')])
    return debian
  }

  /** Mounts what programs need that run without systemd. */
  async prepareChroot(): Promise<void> {
    await this.#mount('-t', 'proc', 'proc', join(this.root, 'proc'))
    for (const device of ['null', 'zero', 'random', 'urandom']) await this.#bind(`/dev/${device}`).catch(() => {})
  }

  /** Starts its systemd with systemd-nspawn, and waits until it has started all units. The machine that it runs on need not have systemd. */
  async boot(): Promise<void> {
    const container = ['systemd-nspawn', '--quiet', '--boot', '--register=no', '--keep-unit', '--console=read-only']
    const options = [
      '--timezone=off',
      '--resolv-conf=off',
      `--machine=${basename(tmpdir())}`,
      `--directory=${this.root}`,
    ]
    const command = this.#network.enter([...container, ...options]).join(' ')
    // A machine with both versions of cgroups shows systemd only one.
    const args = ['--mount', 'sh', '-c', `mount -t cgroup2 none /sys/fs/cgroup && exec ${command}`]
    this.#container = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [this.#container.stdout!, this.#container.stderr!])
      stream.on('data', (chunk) => {
        output += chunk
      })
    const { pid } = this.#container
    const endsAt = Date.now() + BOOT_TIMEOUT_MS
    for (;;) {
      if (this.#container.exitCode !== null || Date.now() > endsAt) throw new Error(`systemd does not run:\n${output}`)
      const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
      const init = children.split(' ').find(Boolean)
      this.#namespaces = init ? ['--target', init, '--mount', '--uts', '--ipc', '--pid'] : []
      if (init) {
        const state = await this.run('systemctl is-system-running --wait || true').catch(() => '')
        if (/^(?:running|degraded)$/m.test(state)) return
      }
      await pause(200)
    }
  }

  /** Starts a script in bash. `hasInternet`: in the network of this machine instead of its own. */
  start(script: string, { hasInternet = false } = {}): RunningScript {
    const shell = ['bash', '-euo', 'pipefail', '-c', script]
    const inside = this.#container ? ['nsenter', ...this.#namespaces, ...shell] : ['chroot', this.root, ...shell]
    return new RunningScript(hasInternet ? inside : this.#network.enter(inside), { env: environment })
  }

  /** Runs a script, and returns what it printed. */
  run(script: string, options = {}): Promise<string> {
    return this.start(script, options).succeeded
  }

  async #mount(...args: string[]): Promise<void> {
    await run('mount', args)
  }

  async #bind(source: string, path = source): Promise<void> {
    const target = join(this.root, path)
    const isFolder = !path.startsWith('/dev/')
    if (isFolder) await mkdir(target, { recursive: true })
    await this.#mount('--bind', source, target)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#container || this.#container.exitCode !== null) return
    const ended = once(this.#container, 'close')
    // systemd-nspawn shuts the Debian down.
    this.#container.kill('SIGTERM')
    await ended
  }
}
