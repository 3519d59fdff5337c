import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCommandHost } from './command-host.ts'

/** A host of commands, and an empty folder in which they run. */
export interface CommandHostFolder extends Pick<ReturnType<typeof createCommandHost>, 'run'> {
  /** Set before the first test. */
  cwd: string
}

/** Starts the host of a suite, with a folder of its own that is removed after the suite. */
export function useCommandHostFolder(): CommandHostFolder {
  const host = createCommandHost()
  const folder: CommandHostFolder = { cwd: '', run: host.run }
  before(async () => {
    folder.cwd = await mkdtemp(join(tmpdir(), 'forecourt-cli-'))
  })
  after(() => {
    host.stop()
    return rm(folder.cwd, { recursive: true, force: true })
  })
  return folder
}
