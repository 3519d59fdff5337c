import { rmSync } from 'node:fs'
import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systems } from '../../src/ports/system.ts'
import { startSystem } from '../../src/sandbox/start-system.ts'

/** Creates a folder with seeded accounts. Seeds only the first one, which is slow, and copies it to the others. */
export async function createSeededFolder(accounts: readonly string[]): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'forecourt-accounts-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const [first, ...others] = accounts
  const started = await Promise.all(systems.map((system) => startSystem({ system, directory, accounts: [first!] })))
  await Promise.all(started.map((system) => system.stop()))
  for (const account of others) await cp(join(directory, first!), join(directory, account), { recursive: true })
  return directory
}
