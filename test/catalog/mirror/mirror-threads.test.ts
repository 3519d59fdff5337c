import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { createMirrorThreads } from '../../../src/catalog/mirror/threads/mirror-threads.ts'
import { SearchQueueFullError } from '../../../src/catalog/mirror/threads/search-queue-full-error.ts'
import { createTaskThread } from '../../../src/lifecycle/task-thread.ts'
import { toRow } from '../mirror-rows.ts'
import { openTestMirror } from '../test-mirror.ts'

describe('the threads of mirrors', () => {
  it('keep their files open when searches are aborted, running or waiting', async () => {
    using mirror = openTestMirror()
    await using threads = createMirrorThreads()
    mirror.write([toRow('S-1', { product: { name: 'pad' } })])
    const search = (signal?: AbortSignal) => threads.search(mirror.path, { q: 'pad', limit: 5, offset: 0 }, signal)
    await search()
    // A thread that was ended could not open the file again.
    for (const suffix of ['', '-wal', '-shm']) rmSync(mirror.path + suffix, { force: true })
    const controller = new AbortController()
    const aborted = Array.from({ length: 5 }, () => search(controller.signal).catch((error: Error) => error.name))
    // Enough turns for two searches to begin, and too early for any result of the thread.
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
    controller.abort()
    expect(await Promise.all(aborted)).to.deep.equal(Array(5).fill('AbortError'))
    expect(await search(controller.signal).catch((error: Error) => error.name)).to.equal('AbortError')
    expect((await search()).ids).to.deep.equal([1])
  })

  it('write a new file once the deleted one is being closed', async () => {
    using mirror = openTestMirror()
    await using threads = createMirrorThreads()
    mirror.write([toRow('S-1')])
    await threads.search(mirror.path, { limit: 5, offset: 0 })
    expect(await threads.readState(mirror.path)).to.be.above(0)
    for (const suffix of ['', '-wal', '-shm']) rmSync(mirror.path + suffix, { force: true })
    const closed = threads.close(mirror.path)
    expect(await threads.readState(mirror.path)).to.equal(0)
    await closed
  })

  it('write a filled file while another one is being filled', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'forecourt-fill-'))
    using filled = openTestMirror()
    const empty = join(directory, '1.db')
    await using threads = createMirrorThreads()
    filled.write([toRow('S-1')])
    expect([(await threads.readState(filled.path)) > 0, await threads.readState(empty)]).to.deep.equal([true, 0])
    const lock = new DatabaseSync(empty)
    lock.exec('BEGIN IMMEDIATE')
    const ends: string[] = []
    const fill = threads.apply(empty, { sequence: 9, rows: [], fill: 'last' }).finally(() => ends.push('filled'))
    await threads.apply(filled.path, { sequence: 2_000_000_000_000_000, rows: [] }).finally(() => ends.push('written'))
    lock.close()
    await fill
    expect(ends).to.deep.equal(['written', 'filled'])
    rmSync(directory, { recursive: true })
  })

  it('read the changes of a file while other files wait to be prepared', async () => {
    using mirror = openTestMirror()
    await using threads = createMirrorThreads()
    mirror.write([toRow('S-1')])
    const ends: string[] = []
    const prepared = Array.from({ length: 20 }, () => threads.prepare(mirror.path).then(() => ends.push('prepared')))
    await threads.readChanges('other.db').then(() => ends.push('read'))
    await Promise.all(prepared)
    expect(ends.at(-1)).to.equal('prepared')
    expect(ends.filter((end) => end === 'read')).to.have.length(1)
  })

  it('write with a lower priority than requests and searches have', async () => {
    using mirror = openTestMirror()
    await using threads = createMirrorThreads()
    const [usual, before] = [getPriority(), new Set(readdirSync('/proc/self/task'))]
    const addedPriorities = () =>
      readdirSync('/proc/self/task').flatMap((thread) => (before.has(thread) ? [] : [getPriority(Number(thread))]))
    mirror.write([toRow('S-1')])
    await threads.search(mirror.path, { limit: 5, offset: 0 })
    expect(addedPriorities().every((priority) => priority === usual)).to.equal(true)
    await threads.readState(mirror.path)
    expect(addedPriorities()).to.include(usual + 5)
    expect(getPriority()).to.equal(usual)
  })

  it('reject tasks when a thread cannot start, and start a new one for the next task', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'forecourt-thread-'))
    const file = join(directory, 'tasks.ts')
    await using thread = createTaskThread(pathToFileURL(file).href, {})
    const add = () => thread.run<number>('add', { one: 1, other: 2 }).catch(() => 'failed')
    expect(await add()).to.equal('failed')
    writeFileSync(file, 'export const add = ({ one, other }) => one + other')
    expect(await add()).to.equal(3)
    const [sum] = await Promise.all([add(), thread.end()])
    expect([sum, thread.isStarted], 'it has a task').to.deep.equal([3, true])
    await thread.end()
    expect(thread.isStarted).to.equal(false)
    expect(await add()).to.equal(3)
    rmSync(directory, { recursive: true })
  })

  it('give each of many searches in two mirrors its own result', async () => {
    using mirrors = new DisposableStack()
    const [pads, discs] = [mirrors.use(openTestMirror()), mirrors.use(openTestMirror())]
    await using threads = createMirrorThreads()
    const rowsOf = (name: string, count: number) =>
      Array.from({ length: count }, (_, at) => toRow(`${name}-${at}`, { product: { name: `${name} n${at}` } }))
    pads.write(rowsOf('pad', 20))
    discs.write(rowsOf('disc', 30))
    const totalOf = async (path: string, q: string) => {
      const found = await threads.search(path, { q, limit: 5, offset: 0 }).catch((error: Error) => error)
      return found instanceof Error ? found.message : found.total
    }
    const suggested = async (path: string, text: string) => {
      const { products } = await threads.suggest(path, { text, limit: 3 })
      return products.map(({ sku }) => sku)
    }
    const noTables = join(tmpdir(), 'no-mirror.db')
    const found = await Promise.all(
      Array.from({ length: 8 }, (_, at) => [
        totalOf(pads.path, 'pad'),
        totalOf(discs.path, 'disc'),
        totalOf(noTables, 'disc'),
        totalOf(pads.path, 'disc'),
        suggested(discs.path, `n1${at}`),
        suggested(pads.path, `n1${at}`),
      ]).flat(),
    )
    const failure = 'unable to open database file'
    expect(found).to.deep.equal(
      Array.from({ length: 8 }, (_, at) => [20, 30, failure, 0, [`disc-1${at}`], [`pad-1${at}`]]).flat(),
    )
  })

  it('refuse searches when too many wait', async () => {
    using mirror = openTestMirror()
    await using threads = createMirrorThreads()
    const search = () =>
      threads.search(mirror.path, { limit: 5, offset: 0 }).then(
        () => 'found',
        (error: unknown) => error instanceof SearchQueueFullError,
      )
    const results = await Promise.all(Array.from({ length: 1_100 }, search))
    expect(results.filter((result) => result === true)).to.have.lengthOf(99)
  })
})
