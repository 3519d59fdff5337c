import { expect } from 'chai'
import { createTaskThread } from '../../src/lifecycle/task-thread.ts'
import { untilTrue } from '../support/until.ts'

const TASKS = import.meta.resolve('./task-thread-tasks.ts')

describe('a task thread', () => {
  it('runs its event loop while it is idle, so that it can be ended at any moment', async () => {
    await using thread = createTaskThread(TASKS, {})
    await thread.run('startTimer', {})
    await untilTrue(() => thread.run<boolean>('hasTimerFired', {}))
  })

  it('starts with its first task, and again after its end', async () => {
    await using thread = createTaskThread(TASKS, {})
    expect(thread.isStarted).to.equal(false)
    await thread.run('startTimer', {})
    expect(thread.isStarted).to.equal(true)
    await thread.end()
    expect(thread.isStarted).to.equal(false)
    expect(await thread.run('hasTimerFired', {})).to.equal(false)
  })
})
