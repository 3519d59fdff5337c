import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a folder for the systems of one test file. */
export async function createTempFolder(): Promise<{ directory: string; remove: () => Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'forecourt-sandbox-'))
  return { directory, remove: () => rm(directory, { recursive: true, force: true, maxRetries: 10 }) }
}
