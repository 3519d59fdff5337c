import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import Mocha from 'mocha'

/**
 * Mocha's dot reporter, which also prints the title and the message of a failure at once, for long runs that are ended early, and appends
 * "<milliseconds> <tab> <file>: <title>" for each test to the file that TEST_DURATIONS names.
 */
class DotWithDurations extends Mocha.reporters.Dot {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options)
    runner.on('fail', (test, error) => {
      process.stdout.write(`\n  failed: ${relative('.', test.file ?? '')}: ${test.fullTitle()}: ${error?.message}\n  `)
    })
    const file = process.env.TEST_DURATIONS
    if (!file) return
    const lines: string[] = []
    runner.on('test end', (test) => {
      lines.push(`${test.duration ?? 0}\t${relative('.', test.file ?? '')}: ${test.fullTitle()}\n`)
    })
    runner.on('end', () => appendFileSync(file, lines.join('')))
  }
}

// The name under which a CommonJS loader looks for it.
export { DotWithDurations as 'module.exports' }
