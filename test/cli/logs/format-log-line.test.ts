import { expect } from 'chai'
import { formatLogLine } from '../../../src/cli/logs/format-log-line.ts'
import { matchesFilter } from '../../../src/cli/logs/log-filter.ts'
import { parseLogLine } from '../../../src/cli/logs/log-line.ts'

const format = (text: string) => formatLogLine(parseLogLine(text), 'America/Jamaica')
const formatRecord = (record: object) => format(JSON.stringify(record))
const frames = (count: number) => Array.from({ length: count }, (_, index) => `\n    at f${index} (a.ts:1:1)`).join('')

describe('a line of the log, for people', () => {
  it('has no characters that a terminal obeys, and none that change the order of a text', () => {
    const line = {
      level: 40,
      time: 'then',
      msg: 'a\u001b[2Jb',
      name: 'ü "x"\u009b',
      'k\u202e': 'x\u202ey\u2066\u200b\u{e0001}',
      err: { stack: 'E: x\u0007\n  at y' },
    }
    expect(formatRecord(line)).to.equal(
      'then WARN  a\\u001b[2Jb name="ü \\"x\\"\\u009b" k\\u202e="x\\u202ey\\u2066\\u200b\\udb40\\udc01"\n    E: x\\u0007\n      at y',
    )
    expect(format('plain\u001b[0m\u202e')).to.equal('plain\\u001b[0m\\u202e')
  })

  it('has its time in the time zone, or as it is when that is no time', () => {
    expect(formatRecord({ level: 30, time: 1_700_000_000_000, msg: 'a' })).to.equal(
      '2023-11-14T17:13:20.000-05:00 INFO  a',
    )
    expect(format('{"level":40,"time":1e99,"msg":"a"}')).to.equal('1e+99 WARN  a')
    expect(formatRecord({ level: 40, time: 1.5, msg: 'a' })).to.equal('1969-12-31T19:00:00.001-05:00 WARN  a')
  })

  it('is as in the file when it is no record, and passes no filter', () => {
    const odd = '{"level":40,"time":{"toString":1}}'
    for (const text of ['[]', '{}', 'null', '7', '{"a":1}', '{"level":', odd]) expect(format(text)).to.equal(text)
    for (const text of ['[]', '{}', '{"level":"loud"}', '{"level":{"toString":1}}', '{"level":35}', '{"level":"INFO"}'])
      expect(matchesFilter(parseLogLine(text), { requestId: null, level: 'warn' }), text).to.equal(false)
    const withOddId = parseLogLine('{"level":30,"request_id":{"toString":1}}')
    expect(matchesFilter(withOddId, { requestId: 'a', level: 'trace' })).to.equal(false)
    for (const text of ['{"level":45}', '{"level":"WARN"}'])
      expect(matchesFilter(parseLogLine(text), { requestId: null, level: 'warn' }), text).to.equal(true)
  })

  it('names the sections of a request in a few words', () => {
    const sections = [
      { name: 'product', outcome: 'ok', ms: 5.5 },
      { name: 'price', outcome: 'timeout', ms: 700, staleAsOf: 1 },
      { name: 'media', outcome: 'ok', ms: 0, mirrored: true },
    ]
    const line = { level: 30, time: 'then', msg: 'request', sections }
    expect(formatRecord(line)).to.equal(
      'then INFO  request sections=(product ok 5.5 ms, price timeout 700 ms stale, media ok 0 ms mirrored)',
    )
    expect(formatRecord({ ...line, sections: [{ a: 1 }] })).to.equal('then INFO  request sections=[{"a":1}]')
  })

  it('has the whole stack of an error, and the first lines of a warning and of its cause', () => {
    const err = { stack: `E: x${frames(5)}\ncaused by: F: y${frames(4)}` }
    const at = (count: number) => frames(count).replaceAll('\n', '\n    ')
    expect(formatRecord({ level: 50, time: 'then', msg: 'm', err })).to.equal(
      `then ERROR m\n    E: x${at(5)}\n    caused by: F: y${at(4)}`,
    )
    expect(formatRecord({ level: 40, time: 'then', msg: 'm', err })).to.equal(
      `then WARN  m\n    E: x${at(3)}\n        … 2 more\n    caused by: F: y${at(3)}\n        … 1 more`,
    )
  })
})
