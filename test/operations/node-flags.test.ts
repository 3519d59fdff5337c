import { execFileSync } from 'node:child_process'
import { expect } from 'chai'

describe('the collection of the young generation', () => {
  it('has no helper threads', () => {
    const file = JSON.stringify(import.meta.resolve('../../src/operations/node-flags.ts'))
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
