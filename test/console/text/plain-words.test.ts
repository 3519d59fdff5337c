import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { callPauseTexts } from '../../../src/console/text/call-pause-text.ts'
import { adviceForFailure } from '../../../src/console/text/failure-advice-text.ts'
import { describeFailure } from '../../../src/console/text/failure-kind-text.ts'
import { describeRoute, routeChoices } from '../../../src/console/text/route-text.ts'
import { describeStaleCount } from '../../../src/console/text/stale-value-text.ts'
import { apiRoutes } from '../../../src/routes/api-routes.ts'

const templates = join(import.meta.dirname, '../../../src/console/templates')

/** The terms that have a plain word; `circuit` may only follow it. */
const TERMS = /\bcircuit|\bp50\b|\bp99\b|last-good|\bstale\b|\bget[A-Z]\w+|\bForecourt['’]s store\b/i
/** Where a term follows its plain word. */
const EXPLAINED = [
  /<small>p(50|99)<\/small>/g,
  /Engineers call this a circuit breaker: the circuit is open/g,
  /\(p50: half were faster\)|\(p99: 99 of 100 were faster\)/g,
]

const readShownText = (file: string): string =>
  EXPLAINED.reduce((text, term) => text.replace(term, ''), readFileSync(join(templates, file), 'utf8'))
    .replace(/<%[\s\S]*?%>/g, '')
    .replace(/ (href|class|id|aria-labelledby|name|value)="[^"]*"/g, '')

describe('the words of the pages', () => {
  for (const file of readdirSync(templates))
    it(`are plain in ${file}`, () => expect(TERMS.exec(readShownText(file))?.[0] ?? '').to.equal(''))

  it('name what was asked, for each operation of the API', () => {
    const operations = apiRoutes.map(({ operationId }) => operationId)
    expect(operations.filter((operation) => describeRoute(operation) === operation)).to.deep.equal([])
    const titles = routeChoices.map(({ title }) => title)
    expect(titles.filter((title, index) => titles.indexOf(title) < index)).to.deep.equal([])
  })

  it('say that calls are paused rather than that a circuit is open', () => {
    for (const text of Object.values(callPauseTexts)) expect(text).to.match(/\bcalls\b/i)
    expect(describeFailure('circuit open: no call was made')).to.equal('calls paused: no call was made')
    expect(describeFailure('no response in 700 ms')).to.equal('no response in 700 ms')
    expect(adviceForFailure('circuit held open')).to.include('An operator stopped the calls')
  })

  it('say how many of the degraded responses had an older value', () => {
    expect([
      describeStaleCount(172, 151),
      describeStaleCount(5, 5),
      describeStaleCount(5, 0),
      describeStaleCount(5, null),
    ]).to.deep.equal(['151 with an older value, 21 without one', 'with an older value', '', ''])
  })
})
