import { expect } from 'chai'
import { createSingleFlight } from '../../src/lifecycle/single-flight.ts'

describe('a single flight', () => {
  it('runs its work once for all who start it meanwhile, and again afterwards', async () => {
    const runs: PromiseWithResolvers<string>[] = []
    const names: string[] = []
    const flight = createSingleFlight((name: string) => {
      names.push(name)
      runs.push(Promise.withResolvers<string>())
      return runs.at(-1)!.promise
    })
    expect(flight.running).to.equal(undefined)
    const callers = [flight.run('first'), flight.run('second')]
    expect(flight.running).to.equal(callers[0])
    runs[0]!.resolve('result')
    expect(await Promise.all(callers)).to.deep.equal(['result', 'result'])
    const third = flight.run('third')
    runs[1]!.reject(new Error('failed'))
    expect(await third.catch((error: Error) => error.message)).to.equal('failed')
    expect(flight.running).to.equal(undefined)
    expect(names).to.deep.equal(['first', 'third'])
  })
})
