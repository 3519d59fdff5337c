import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { OwnNetwork } from './own-network.ts'
import { RunningScript } from './running-script.ts'

const run = promisify(execFile)
const scripts = resolve(import.meta.dirname, '../install')
const BOOT_TIMEOUT_MS = 600_000

/** As an administrator's shell has it. */
const environment = {
  HOME: '/root',
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  // A machine behind a proxy that inspects TLS trusts another certificate authority.
  ...(process.env.NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS }),
}

/** Debootstraps a Debian with curl, systemd and Node. */
export async function makeBareDebian(folder: string): Promise<string> {
  const root = join(folder, 'debian')
  await run('bash', [join(scripts, 'build-bare-debian.sh'), root, 'curl', 'systemd-sysv'], { maxBuffer: 2 ** 28 })
  return root
}

/** A Debian of its own over the bare one: what is written there changes only this one. */
export class BareDebian implements AsyncDisposable {
  readonly root: string
  readonly #network: OwnNetwork
  readonly #mounts: string[] = []
  #container: ChildProcess | undefined
  /** Options of nsenter for a Debian that was booted. */
  #namespaces: string[] = []

  private constructor(root: string, network: OwnNetwork) {
    this.root = root
    this.#network = network
  }

  static async create(base: string, folder: string, network: OwnNetwork): Promise<BareDebian> {
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
    const options = ['--timezone=off', '--resolv-conf=off', `--machine=bare${process.pid}`, `--directory=${this.root}`]
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
    this.#mounts.unshift(args.at(-1)!)
  }

  async #bind(source: string, path = source): Promise<void> {
    const target = join(this.root, path)
    const isFolder = !path.startsWith('/dev/')
    if (isFolder) await mkdir(target, { recursive: true })
    await this.#mount('--bind', source, target)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#container && this.#container.exitCode === null) {
      const ended = once(this.#container, 'close')
      // systemd-nspawn shuts the Debian down.
      this.#container.kill('SIGTERM')
      await ended
    }
    for (const path of this.#mounts) await run('umount', ['--recursive', '--lazy', path])
  }
}
