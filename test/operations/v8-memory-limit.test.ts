import { execFileSync } from 'node:child_process'
import { expect } from 'chai'
import { toGrowthPercent, toHeapLimit } from '../../src/operations/v8-memory-limit.ts'

const MB = 1e6

describe('the growth of the heap between two collections', () => {
  it('is V8’s choice while the heap can double twice below the limit, and small close to it', () => {
    expect(toGrowthPercent(500 * MB, { rss: 200 * MB, heapTotal: 100 * MB })).to.equal(0)
    expect(toGrowthPercent(500 * MB, { rss: 400 * MB, heapTotal: 100 * MB })).to.equal(50)
    expect(toGrowthPercent(500 * MB, { rss: 600 * MB, heapTotal: 100 * MB })).to.equal(10)
  })

  it('does not count the threads of mirrors as garbage', () => {
    const cap = 256 * MB
    const process = { rss: cap + 100 * MB, heapTotal: 100 * MB }
    const withThreads = { ...process, rss: process.rss + 150 * MB }
    expect(toGrowthPercent(toHeapLimit(cap, true), withThreads)).to.equal(
      toGrowthPercent(toHeapLimit(cap, false), process),
    )
  })
})

describe('the collection of the young generation', () => {
  it('has no helper threads', () => {
    const file = JSON.stringify(import.meta.resolve('../../src/operations/v8-memory-limit.ts'))
    // What is traced begins after the call: before it, the program's own modules are collected.
    const program = `
      const { collectWithoutHelpers } = await import(${file})
      const { setFlagsFromString } = await import('node:v8')
      collectWithoutHelpers()
      setFlagsFromString('--trace-gc')
      setFlagsFromString('--trace-parallel-scavenge')
      globalThis.lists = []
      for (let count = 0; count < 4e6; count++) lists[count % 5e4] = { count, list: [count] }
    `
    const traced = execFileSync(
      process.execPath,
      ['--max-semi-space-size=16', '--input-type=module', '--eval', program],
      { encoding: 'utf8' },
    )
    const count = (part: string) => traced.split(part).length - 1
    expect(count(' Scavenge ')).to.be.above(0)
    // A helper may begin a collection and leave it to the program's own thread; with helpers each has up to five parts.
    expect(count(' scavenge['), 'parts').to.be.below(2 * count(' Scavenge '))
  })
})
