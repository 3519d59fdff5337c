import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const project = resolve(import.meta.dirname, '../..')

/** The last commit of release 0.2.0, which has no tag. */
const RELEASE_BEFORE = '6d8f6d76'

/** Takes the release before this one from git into a folder, and installs it. Returns the path of its main file. */
export async function checkOutReleaseBefore(folder: string): Promise<string> {
  const commit = process.env.FORECOURT_RELEASE_BEFORE ?? RELEASE_BEFORE
  await mkdir(folder)
  const archive = join(folder, 'release.tar')
  await run('git', ['archive', '--output', archive, commit], { cwd: project })
  await run('tar', ['-xf', archive, '-C', folder])
  await run('npm', ['ci', '--omit=dev', '--ignore-scripts'], { cwd: folder, maxBuffer: 2 ** 26 })
  return join(folder, 'src/main.ts')
}

export const thisRelease = join(project, 'src/main.ts')

/** Runs a command of a release, and returns its exit code and what it printed. */
export async function runRelease(main: string, args: readonly string[], directory: string) {
  const env = { ...process.env, FORECOURT_DATA: directory }
  const file = join(directory, 'forecourt.yaml')
  const done = run(process.execPath, [main, ...args, '--config', file], { env })
  return done.then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => {
      if (error.stderr) throw new Error(error.stderr)
      return { code: error.code, out: error.stdout }
    },
  )
}
