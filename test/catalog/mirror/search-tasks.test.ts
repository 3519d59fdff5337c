import { join } from 'node:path'
import { expect } from 'chai'
import {
  createSearchTasks,
  type SearchTask,
  type SearchTasks,
} from '../../../src/catalog/mirror/threads/search-tasks.ts'
import { toRow } from '../mirror-rows.ts'
import { openTestMirror, type TestMirror } from '../test-mirror.ts'

/** Each page of 500 products takes a millisecond of this clock, so a turn reads at most five. */
const PRODUCTS = 5_200

describe('the tasks of the thread that searches', () => {
  let mirrors: DisposableStack
  let large: TestMirror
  let small: TestMirror
  let tasks: SearchTasks
  beforeEach(() => {
    mirrors = new DisposableStack()
    large = mirrors.use(openTestMirror())
    small = mirrors.use(openTestMirror())
    let ms = 0
    tasks = createSearchTasks({ now: () => ms++ })
    mirrors.defer(() => {
      for (const { path } of [large, small]) tasks.close(path)
    })
    small.write([toRow('S-1', { product: { name: 'disc' } })])
  })
  afterEach(() => mirrors[Symbol.dispose]())

  const write = (name: string) =>
    large.write(Array.from({ length: PRODUCTS }, (_, at) => toRow(`L-${at}`, { product: { name: `${name} ${at}` } })))
  const search = ({ path }: TestMirror, q: string): SearchTask => ({
    path,
    name: 'search',
    request: { q, limit: 5, offset: 0 },
  })
  const suggest = ({ path }: TestMirror, text: string): SearchTask => ({
    path,
    name: 'suggest',
    request: { text, limit: 5 },
  })
  /** What callers see of the outcomes of one turn. */
  const run = (all: SearchTask[]) =>
    tasks.searchAll(all).map((outcome) => {
      if ('mustWait' in outcome) return 'must wait'
      if ('error' in outcome) return (outcome.error as Error).message
      return 'total' in outcome.value ? outcome.value.total : outcome.value.products.length
    })
  const readTurns = (read: () => boolean) => {
    let turns = 1
    while (!read()) turns += 1
    return turns
  }

  it('read a file in several turns, and searches of other files run in each of them', () => {
    write('pad')
    const all = [search(large, 'pad'), search(small, 'disc'), suggest(large, 'pad'), search(small, 'pad')]
    const outcomes = [run(all), run(all), run(all)]
    expect(outcomes).to.deep.equal([
      ['must wait', 1, 'must wait', 0],
      ['must wait', 1, 'must wait', 0],
      [PRODUCTS, 1, 5, 0],
    ])
  })

  it('read many changes in several turns, and no search sees a part of them', () => {
    write('pad')
    readTurns(() => tasks.prepare(large.path))
    expect(run([search(large, 'pad')])).to.deep.equal([PRODUCTS])
    write('caliper')
    const outcomes = [run([search(large, 'pad')]), run([search(large, 'caliper')]), run([search(large, 'caliper')])]
    expect(outcomes).to.deep.equal([['must wait'], ['must wait'], [PRODUCTS]])
  })

  it('read ahead in several turns, after which searches need not wait', () => {
    write('pad')
    expect(readTurns(() => tasks.prepare(large.path))).to.equal(3)
    expect(run([search(large, 'pad')])).to.deep.equal([PRODUCTS])
    write('caliper')
    expect(readTurns(() => tasks.readChanges(large.path))).to.equal(3)
    expect(run([suggest(large, 'cal')])).to.deep.equal([5])
  })

  it('complete the words of a catalog that was empty when it was read ahead', () => {
    tasks.prepare(large.path)
    large.write([
      toRow('L-1', { product: { name: 'caliper' } }),
      toRow('L-2', { product: { name: 'pad', description: 'for calibrated brakes' } }),
    ])
    tasks.prepare(large.path)
    expect(run([suggest(large, 'cali'), search(large, 'calipre')])).to.deep.equal([1, 1])
  })

  it('do not open a file that nobody has searched to read its changes', () => {
    expect(tasks.readChanges(join(large.path, 'no file'))).to.equal(true)
  })

  it('report an error only for the search that has it', () => {
    const broken = { ...search(small, 'disc'), path: join(small.path, 'no file') }
    expect(run([search(small, 'disc'), broken, search(small, 'pad')])).to.deep.equal([
      1,
      'unable to open database file',
      0,
    ])
  })
})
