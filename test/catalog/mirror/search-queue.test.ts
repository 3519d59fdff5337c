import { expect } from 'chai'
import { createSearchQueue } from '../../../src/catalog/mirror/threads/search-queue.ts'
import type { SearchTask, SearchTaskOutcome } from '../../../src/catalog/mirror/threads/search-tasks.ts'

/** The number of a search, in place of a path. */
const taskOf = (number: number) => ({ path: String(number) }) as SearchTask
const outcomeOf = ({ path }: SearchTask) => ({ value: path }) as unknown as SearchTaskOutcome

/** A thread that responds to one message at a time, in turns of its own. */
function createThread(respond: (tasks: readonly SearchTask[]) => SearchTaskOutcome[]) {
  const messages: string[][] = []
  const queue = createSearchQueue(async (tasks) => {
    messages.push(tasks.map(({ path }) => path))
    for (let turn = 0; turn < messages.length % 3; turn++) await Promise.resolve()
    return respond(tasks)
  })
  return { queue, messages }
}

const settle = async (searches: Promise<unknown>[]) =>
  (await Promise.allSettled(searches)).map((result) =>
    result.status === 'fulfilled' ? result.value : (result.reason as Error).message,
  )

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number)

describe('the searches that wait for the thread', () => {
  it('share messages, and each gets its own outcome', async () => {
    const { queue, messages } = createThread((tasks) =>
      tasks.map((task) => (Number(task.path) % 7 === 3 ? { error: new Error(`no ${task.path}`) } : outcomeOf(task))),
    )
    const results = await settle(numbers(40).map((number) => queue.add(() => taskOf(number))))
    expect(results).to.deep.equal(numbers(40).map((number) => (number % 7 === 3 ? `no ${number}` : String(number))))
    expect(messages.map(({ length }) => length)).to.deep.equal([1, 32, 7])
  })

  it('are answered in turns of their own: the first response is made before the second search ends', async () => {
    const { queue } = createThread((tasks) => tasks.map(outcomeOf))
    const steps: string[] = []
    const respond = async (number: number) => {
      await queue.add(() => taskOf(number))
      for (const step of ['texts', 'bytes']) {
        await Promise.resolve()
        steps.push(`${step} ${number}`)
      }
    }
    await Promise.all(numbers(4).map(respond))
    expect(steps).to.deep.equal(numbers(4).flatMap((number) => [`texts ${number}`, `bytes ${number}`]))
  })

  it('are sent again, before later ones, when their message took too long', async () => {
    const { queue, messages } = createThread((tasks) => tasks.slice(0, 3).map(outcomeOf))
    const results = await settle(numbers(20).map((number) => queue.add(() => taskOf(number))))
    expect(results).to.deep.equal(numbers(20).map(String))
    const sentAgain = messages[1]!.slice(3)
    expect(sentAgain).to.have.lengthOf(16)
    expect(messages[2]).to.deep.equal(sentAgain)
  })

  it('are sent again, after all others, when they must wait for what the thread reads', async () => {
    let turns = 0
    const { queue, messages } = createThread((tasks) => {
      turns += 1
      return tasks.map((task) => (Number(task.path) % 20 === 0 && turns < 4 ? { mustWait: true } : outcomeOf(task)))
    })
    const ends: string[] = []
    const searches = numbers(40).map((number) => queue.add<string>(() => taskOf(number)).then((end) => ends.push(end)))
    await Promise.all(searches)
    expect(messages.map((tasks) => [tasks.length, tasks.at(-1)])).to.deep.equal([
      [1, '0'],
      [32, '32'],
      [9, '20'],
      [2, '20'],
    ])
    expect(ends).to.deep.equal([
      ...numbers(40)
        .map(String)
        .filter((name) => Number(name) % 20 !== 0),
      '0',
      '20',
    ])
  })

  it('are not sent after they were aborted, nor when their task cannot be made', async () => {
    const { queue, messages } = createThread((tasks) => tasks.map(outcomeOf))
    const controller = new AbortController()
    const searches = numbers(12).map((number) => {
      const toTask = () => {
        if (number === 5) throw new Error('no mirror')
        return taskOf(number)
      }
      return queue.add(toTask, number > 8 ? controller.signal : undefined)
    })
    controller.abort(new Error('gone'))
    const results = await settle(searches)
    expect(results).to.deep.equal(['0', '1', '2', '3', '4', 'no mirror', '6', '7', '8', 'gone', 'gone', 'gone'])
    expect(messages.flat()).to.deep.equal(['0', '1', '2', '3', '4', '6', '7', '8'])
  })

  it('fail with their message, and the next ones do not', async () => {
    const { queue } = createThread((tasks) => {
      if (tasks.some(({ path }) => path === '4')) throw new Error('the thread ended')
      return tasks.map(outcomeOf)
    })
    const results = await settle(numbers(35).map((number) => queue.add(() => taskOf(number))))
    expect(results).to.deep.equal(['0', ...Array(32).fill('the thread ended'), '33', '34'])
  })
})
