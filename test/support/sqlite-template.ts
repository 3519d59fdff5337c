import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { migrateStore } from '../../src/storage/migrate-store.ts'

let template: Promise<Buffer> | undefined

/** Writes an empty, migrated SQLite store. Migrating each store of a run would take a fifth of its time. */
export async function writeMigratedSqlite(path: string): Promise<void> {
  template ??= createTemplate()
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, await template, { mode: 0o600, flag: 'wx' })
}

async function createTemplate(): Promise<Buffer> {
  const directory = await mkdtemp(join(tmpdir(), 'forecourt-template-'))
  try {
    const path = join(directory, 'forecourt.db')
    await migrateStore(`sqlite:${path}`)
    return await readFile(path)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
