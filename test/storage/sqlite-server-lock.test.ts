import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect } from 'chai'
import { openDatabase } from '../../src/storage/database.ts'
import { acquireServerLock } from '../../src/storage/sqlite-server-lock.ts'

const MODULE = new URL('../../src/storage/sqlite-server-lock.ts', import.meta.url).href

describe('a SQLite store and its one server', () => {
  let directory: string
  let store: string
  let other: ChildProcess | undefined

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'forecourt-sole-'))
    store = `sqlite:${join(directory, 'forecourt.db')}`
  })
  afterEach(async () => {
    await killed()
    rmSync(directory, { recursive: true })
  })

  /** Another process that serves the store, or says why it does not. */
  async function another(name = store): Promise<string> {
    await killed()
    const script = `import { soleServer } from '${MODULE}'; globalThis.lock = await soleServer(process.argv[1], 0); process.stdout.write('serving'); setInterval(() => {}, 1000)`
    other = spawn(process.execPath, ['--input-type=module', '-e', script, name], { stdio: ['ignore', 'pipe', 'pipe'] })
    const said = await Promise.race([once(other.stdout!, 'data'), once(other.stderr!, 'data')])
    return String(said[0])
  }
  async function killed() {
    if (!other || other.exitCode !== null || other.signalCode !== null) return
    const ended = once(other, 'exit')
    other.kill('SIGKILL')
    await ended
  }

  const refused = () =>
    acquireServerLock(store, 0).then(
      () => 'serving',
      (error: Error) => error.message,
    )

  it('refuses a second one, and says what to do', async () => {
    using _first = await acquireServerLock(store, 0)
    const said = `The store ${store} is served by another process already. Stop that one, `
    expect(await refused()).to.include(said)
  })

  it('is refused to others by whatever name, also after this process has tried twice', async () => {
    using _first = await acquireServerLock(store, 0)
    expect(await refused()).to.contain('already')
    const link = join(directory, 'link.db')
    symlinkSync(join(directory, 'forecourt.db'), link)
    for (const name of [store, `sqlite:${link}`, `sqlite:${relative(process.cwd(), link)}`])
      expect(await another(name), name).to.contain('is served by another process already')
    expect(readdirSync(directory).toSorted()).to.deep.equal(['forecourt.db', 'forecourt.db.serving', 'link.db'])
  })

  it('says which file it may not have', async () => {
    mkdirSync(join(directory, 'forecourt.db.serving'))
    expect(await refused()).to.match(
      /^The store \S+forecourt\.db\.serving cannot be opened \(.+\)\. Set FORECOURT_DATA/,
    )
  })

  it('lets the next one have it when the first has ended, which it waits for', async () => {
    const first = await acquireServerLock(store, 0)
    const next = acquireServerLock(store, 10_000)
    expect(await refused()).to.contain('already')
    first[Symbol.dispose]()
    using _next = await next
    expect(await refused()).to.contain('already')
  })

  it('lets the next one have it when the first was killed', async () => {
    expect(await another()).to.equal('serving')
    expect(await refused()).to.contain('already')
    await killed()
    using _next = await acquireServerLock(store, 0)
    expect(await another()).to.contain('is served by another process already')
  })

  it('keeps no command from the store, and leaves nothing that others may read', async () => {
    using _server = await acquireServerLock(store, 0)
    await using db = await openDatabase(store)
    expect(await db.selectFrom('api_keys').select('key_id').execute()).to.deep.equal([])
    for (const name of readdirSync(directory)) expect(statSync(join(directory, name)).mode & 0o077, name).to.equal(0)
  })

  it('asks nothing of what several may serve, or of what only one can see', async () => {
    for (const shared of ['postgres://somebody@db.example/forecourt', 'sqlite::memory:']) {
      using _first = await acquireServerLock(shared, 0)
      using _second = await acquireServerLock(shared, 0)
    }
    expect(readdirSync(directory)).to.deep.equal([])
  })
})
