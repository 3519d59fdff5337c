import { availableParallelism } from 'node:os'
import { expect } from 'chai'
import { findMistakes, minimalFile, parse } from '../config-fixtures.ts'

describe('the number of workers', () => {
  const workersOf = (setting: string, env: Record<string, string> = {}) =>
    parse(`${setting}\n${minimalFile}`, env).workers

  it('is a number, or that of the cores, in the file or in the environment', () => {
    expect(workersOf('')).to.equal(undefined)
    expect(workersOf('workers: 3')).to.equal(3)
    expect(workersOf('workers: auto')).to.equal(availableParallelism())
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the file
    expect(workersOf('workers: ${N}', { N: '2' })).to.equal(2)
    expect(workersOf('workers: 3', { FORECOURT_WORKERS: '5' })).to.equal(5)
    expect(workersOf('', { FORECOURT_WORKERS: 'auto' })).to.equal(availableParallelism())
  })

  it('is a mistake when it is neither, or when the store cannot be shared', () => {
    const remedy = 'Give auto, for one worker per core, or a whole number from 1 to 256'
    for (const value of ['0', '257', '1.5', 'many', '[2]', 'true', 'null'])
      expect(findMistakes(`workers: ${value}\n${minimalFile}`)).to.deep.equal([
        { path: 'workers', mistake: 'is not valid', remedy, line: 1 },
      ])
    expect(findMistakes(minimalFile, { FORECOURT_WORKERS: 'x' })).to.deep.equal([
      { path: 'workers', mistake: 'is not valid in the environment variable FORECOURT_WORKERS', remedy },
    ])
    expect(findMistakes(`workers: 2\nstore: "sqlite::memory:"\n${minimalFile}`)).to.deep.equal([
      {
        path: 'workers',
        mistake: 'cannot share a store in memory',
        remedy: 'Give sqlite: and a path, or PostgreSQL',
        line: 1,
      },
    ])
  })
})
