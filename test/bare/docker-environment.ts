import { execFile } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { bareDebian } from './bare-debian.ts'
import { findCommands } from './documented-commands.ts'
import { RunningScript } from './running-script.ts'

const run = promisify(execFile)
const project = resolve(import.meta.dirname, '../..')
const BASE = 'localhost/forecourt-bare-base'
const BUILD = findCommands('operations.md', 'docker build')

/** The image that the commands of the docs build. */
export const IMAGE = `localhost/${/-t (\S+)/.exec(BUILD)![1]}`

let made: Promise<NodeJS.ProcessEnv> | undefined

/** Builds the image once, and returns an environment in which `docker` is docker-stand-in.ts. */
export const dockerEnvironment = () => (made ??= buildImage())

async function buildImage(): Promise<NodeJS.ProcessEnv> {
  await run('bash', [join(import.meta.dirname, 'base-image.sh'), BASE, await bareDebian()], { maxBuffer: 2 ** 28 })
  const bin = join(tmpdir(), 'bin')
  await mkdir(bin)
  const docker = `#!/bin/sh\nexec '${process.execPath}' '${join(import.meta.dirname, 'docker-stand-in.ts')}' "$@"\n`
  await writeFile(join(bin, 'docker'), docker)
  await chmod(join(bin, 'docker'), 0o755)
  const path = `${bin}:${dirname(process.execPath)}:${process.env.PATH}`
  const env = { ...process.env, PATH: path, BARE_BASE_IMAGE: BASE }
  await new RunningScript(['bash', '-euc', BUILD], { env, cwd: project }).succeeded
  return env
}
