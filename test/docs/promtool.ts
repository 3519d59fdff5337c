import { spawnSync } from 'node:child_process'

const found = spawnSync('promtool', ['--version']).status === 0
const missing = 'There is no promtool. On Debian: apt-get install --no-install-recommends prometheus'

/** Whether there is a promtool to ask. In CI there must be. */
export function hasPromtool(): boolean {
  if (!found && process.env.CI === 'true') throw new Error(missing)
  if (!found) process.stderr.write(`Left out: checks of alert rules. ${missing}.\n`)
  return found
}

/** What promtool says to that; empty when all is well. */
export const runPromtool = (...asked: string[]) => runPromtoolWithInput('', ...asked)

/** The same, of a text. */
export function runPromtoolWithInput(text: string, ...asked: string[]): string {
  const { status, stdout, stderr } = spawnSync('promtool', asked, { encoding: 'utf8', input: text })
  return status === 0 ? '' : `${stdout}${stderr}`
}
