import { spawnSync } from 'node:child_process'

const isInstalled = spawnSync('promtool', ['--version']).status === 0
const missing = 'promtool is not installed. On Debian: apt-get install --no-install-recommends prometheus'

/** Returns whether promtool is installed; throws in CI when it is not. */
export function hasPromtool(): boolean {
  if (!isInstalled && process.env.CI === 'true') throw new Error(missing)
  if (!isInstalled) process.stderr.write(`Skipped: checks of alert rules. ${missing}.\n`)
  return isInstalled
}

/** Runs promtool, and returns its output when it fails, else an empty string. */
export const runPromtool = (...args: string[]) => runPromtoolWithInput('', ...args)

/** Runs promtool with a text as its input. */
export function runPromtoolWithInput(text: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', input: text })
  return status === 0 ? '' : `${stdout}${stderr}`
}
