import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { mountImage, startContainer } from './run-image.ts'

/**
 * `docker build` and `docker run` as far as the docs use them, by buildah and crun: neither a daemon nor a registry of images. The container has
 * the network of the caller, so ports are not published; `-p` is read only to see that the commands have it. Its root is always read-only.
 */

const [command, ...args] = process.argv.slice(2)
const base = process.env.BARE_BASE_IMAGE!

async function runContainer(): Promise<number> {
  const at = args.findIndex((arg) => arg.startsWith('forecourt:'))
  const { values } = parseArgs({
    args: args.slice(0, at),
    options: {
      rm: { type: 'boolean' },
      'read-only': { type: 'boolean' },
      env: { type: 'string', short: 'e', multiple: true, default: [] },
      volume: { type: 'string', short: 'v', multiple: true, default: [] },
      tmpfs: { type: 'string', multiple: true, default: ['/tmp'] },
      'cap-drop': { type: 'string' },
      'security-opt': { type: 'string' },
      publish: { type: 'string', short: 'p' },
    },
  })
  await using image = await mountImage(`localhost/${args[at]}`)
  const mounts = values.volume.map((volume) => volume.split(':') as [string, string, string?])
  const toMounts = (isReadOnly: boolean) =>
    Object.fromEntries(
      mounts.filter(([, , mode]) => (mode === 'ro') === isReadOnly).map(([source, path]) => [path, source]),
    )
  const { Entrypoint, Cmd } = image.config
  const commandArgs = args.slice(at + 1)
  const { child, ended } = await startContainer(
    image,
    [...Entrypoint, ...(commandArgs.length > 0 ? commandArgs : Cmd)],
    {
      env: Object.fromEntries(values.env.map((name) => [name, process.env[name] ?? ''])),
      writable: values.tmpfs,
      mounts: toMounts(true),
      writableMounts: toMounts(false),
    },
  )
  child.stdout!.pipe(process.stdout)
  child.stderr!.pipe(process.stderr)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill(signal))
  return (await ended).code ?? 1
}

if (command === 'build') {
  const built = spawnSync('bash', [join(import.meta.dirname, 'build-image.sh'), base, ...args], { stdio: 'inherit' })
  process.exitCode = built.status ?? 1
} else if (command === 'run') process.exitCode = await runContainer()
else throw new Error(`docker ${command}: the docs of the image do not use it`)
