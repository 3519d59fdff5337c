import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect } from 'chai'
import { openDatabase } from '../../../src/storage/database.ts'
import { acquireServerLock } from '../../../src/storage/sqlite/sqlite-server-lock.ts'

const MODULE = new URL('../../../src/storage/sqlite/sqlite-server-lock.ts', import.meta.url).href

describe('the server lock of a SQLite store', () => {
  let directory: string
  let store: string
  let other: ChildProcess | undefined

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'forecourt-lock-'))
    store = `sqlite:${join(directory, 'forecourt.db')}`
  })
  afterEach(async () => {
    await killOther()
    rmSync(directory, { recursive: true })
  })

  /** Starts another process that serves the store. Returns its output: `serving` or an error. */
  async function startOther(name = store): Promise<string> {
    await killOther()
    const script = `import { acquireServerLock } from '${MODULE}'; globalThis.lock = await acquireServerLock(process.argv[1], 0); process.stdout.write('serving'); setInterval(() => {}, 1000)`
    other = spawn(process.execPath, ['--input-type=module', '-e', script, name], { stdio: ['ignore', 'pipe', 'pipe'] })
    let error = ''
    other.stderr!.on('data', (chunk) => {
      error += chunk
    })
    // Node writes an error in several parts.
    const ended = once(other, 'close').then(() => error)
    return Promise.race([once(other.stdout!, 'data').then(([output]) => String(output)), ended])
  }
  async function killOther() {
    if (!other || other.exitCode !== null || other.signalCode !== null) return
    const ended = once(other, 'exit')
    other.kill('SIGKILL')
    await ended
  }

  const tryToLock = () =>
    acquireServerLock(store, 0).then(
      () => 'serving',
      (error: Error) => error.message,
    )

  it('refuses a second server and says what to do', async () => {
    using _first = await acquireServerLock(store, 0)
    const message = `The store ${store} is already served by another process. Stop that process, `
    expect(await tryToLock()).to.include(message)
  })

  it('is refused to other processes under every name of the store, also after this process has tried twice', async () => {
    using _first = await acquireServerLock(store, 0)
    expect(await tryToLock()).to.contain('already')
    const link = join(directory, 'link.db')
    symlinkSync(join(directory, 'forecourt.db'), link)
    for (const name of [store, `sqlite:${link}`, `sqlite:${relative(process.cwd(), link)}`])
      expect(await startOther(name), name).to.contain('is already served by another process')
    expect(readdirSync(directory).toSorted()).to.deep.equal(['forecourt.db', 'forecourt.db.serving', 'link.db'])
  })

  it('names the file that it cannot lock', async () => {
    mkdirSync(join(directory, 'forecourt.db.serving'))
    expect(await tryToLock()).to.match(
      /^The store \S+forecourt\.db\.serving cannot be opened \(.+\)\. Set FORECOURT_DATA/,
    )
  })

  it('waits for the first server to end', async () => {
    const first = await acquireServerLock(store, 0)
    const next = acquireServerLock(store, 10_000)
    expect(await tryToLock()).to.contain('already')
    first[Symbol.dispose]()
    using _next = await next
    expect(await tryToLock()).to.contain('already')
  })

  it('is free when the first server was killed', async () => {
    expect(await startOther()).to.equal('serving')
    expect(await tryToLock()).to.contain('already')
    await killOther()
    using _next = await acquireServerLock(store, 0)
    expect(await startOther()).to.contain('is already served by another process')
  })

  it('does not keep commands from the store, and creates no file that others can read', async () => {
    using _server = await acquireServerLock(store, 0)
    await using db = await openDatabase(store)
    expect(await db.selectFrom('api_keys').select('key_id').execute()).to.deep.equal([])
    for (const name of readdirSync(directory)) expect(statSync(join(directory, name)).mode & 0o077, name).to.equal(0)
  })

  it('does not apply to PostgreSQL or to a store in memory', async () => {
    for (const shared of ['postgres://somebody@db.example/forecourt', 'sqlite::memory:']) {
      using _first = await acquireServerLock(shared, 0)
      using _second = await acquireServerLock(shared, 0)
    }
    expect(readdirSync(directory)).to.deep.equal([])
  })
})
