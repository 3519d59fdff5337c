import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface ImageConfig {
  User: string
  Env: string[]
  Entrypoint: string[]
  Cmd: string[]
  Labels: Record<string, string>
  Healthcheck: { Test: string[] }
  StopSignal: string
}

/** An image, mounted read-only on this machine. */
export interface MountedImage extends AsyncDisposable {
  root: string
  config: ImageConfig
}

export async function mountImage(name: string): Promise<MountedImage> {
  const { stdout: container } = await run('buildah', ['from', '--pull-never', name])
  const id = container.trim()
  const { stdout: root } = await run('buildah', ['mount', id])
  const { stdout: inspected } = await run('buildah', ['inspect', '--type', 'image', name])
  return {
    root: root.trim(),
    config: JSON.parse(inspected).Docker.config,
    async [Symbol.asyncDispose]() {
      await run('buildah', ['rm', id])
    },
  }
}

interface ContainerOptions {
  env?: Record<string, string>
  /** Folders of this machine, by their path in the container, which can only be read; and those that can be written to. */
  mounts?: Record<string, string>
  writableMounts?: Record<string, string>
  /** Paths of the container that it can write to, in memory. */
  writable?: string[]
}

/**
 * Starts a program in a container as Kubernetes and compose.yaml do: the image's user, a read-only root, no capabilities and no new
 * privileges, in namespaces of its own except for the network. crun runs it without cgroups.
 */
export async function startContainer(image: MountedImage, args: readonly string[], options: ContainerOptions = {}) {
  const { env = {}, mounts = {}, writableMounts = {}, writable = ['/tmp', '/var/lib/forecourt'] } = options
  const bundle = await mkdtemp(join(tmpdir(), 'forecourt-bundle-'))
  await mkdir(join(bundle, 'empty'))
  const [uid, gid] = image.config.User.split(':').map(Number)
  const inMemory = { type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'nodev', 'mode=1777'] }
  const spec = {
    ociVersion: '1.0.0',
    root: { path: image.root, readonly: true },
    process: {
      user: { uid, gid },
      args,
      cwd: '/etc/forecourt',
      env: [...image.config.Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)],
      noNewPrivileges: true,
      capabilities: {},
    },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755'] },
      ...writable.map((destination) => ({ destination, ...inMemory })),
      ...Object.entries(mounts).map(([destination, source]) => ({ destination, source, options: ['bind', 'ro'] })),
      ...Object.entries(writableMounts).map(([destination, source]) => ({
        destination,
        source,
        options: ['bind', 'rw'],
      })),
    ],
    linux: { namespaces: ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })) },
  }
  await writeFile(join(bundle, 'config.json'), JSON.stringify(spec))
  const crun = `exec crun --cgroup-manager=disabled run --bundle ${bundle} forecourt-${process.pid}-${Date.now()}`
  // crun refuses a machine with both versions of cgroups, and needs neither here.
  const command = `mount -t cgroup2 none /sys/fs/cgroup && ${crun}`
  const child = spawn('unshare', ['--mount', 'sh', '-c', command], { stdio: ['ignore', 'pipe', 'pipe'] })
  return { child, ...collectOutput(child, bundle) }
}

function collectOutput(child: ChildProcess, bundle: string) {
  let output = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk) => {
      output += chunk
      for (const listener of listeners) listener()
    })
  const ended = once(child, 'close').then(async ([code]) => {
    await rm(bundle, { recursive: true, force: true })
    return { code: code as number | null, output }
  })
  const printed = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const check = () => {
        const found = pattern.exec(output)
        if (found) resolve(found)
      }
      listeners.add(check)
      check()
      ended.then(() => reject(new Error(`the container has ended:\n${output}`)))
    })
  return { ended, printed }
}
