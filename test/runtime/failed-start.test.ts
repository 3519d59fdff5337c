import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { runCommand } from '../support/command.ts'

/** Failures after the store and the log were opened. */
const plants = {
  'when webhook delivery starts': `
    import { createRequire } from 'node:module'
    const { Registry } = createRequire('${import.meta.filename}')('prom-client')
    const register = Registry.prototype.registerMetric
    Registry.prototype.registerMetric = function (metric) {
      if (metric.name === 'forecourt_webhook_sending') throw new Error('planted')
      return register.call(this, metric)
    }`,
  'after webhook delivery has started': `
    const some = Array.prototype.some
    Array.prototype.some = function (...asked) {
      if (this[0]?.merchant === 'acme' && this[0].timeZone) throw new Error('planted')
      return some.apply(this, asked)
    }`,
}

describe('a start that fails late', function () {
  // Several processes for one test.
  this.timeout(300_000)
  let cwd: string
  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-failed-'))
    const acme = { name: 'Acme Parts', currency: 'JMD', time_zone: 'America/Jamaica', live: {}, sandbox: {} }
    // JSON is YAML too.
    await writeFile(
      join(cwd, 'forecourt.yaml'),
      JSON.stringify({ operations: { enabled: false }, merchants: { acme } }),
    )
  })
  after(() => rm(cwd, { recursive: true, force: true }))

  for (const [when, plant] of Object.entries(plants)) {
    it(`prints only the cause, and exits with 1, ${when}`, async () => {
      const preloaded = `--import data:text/javascript,${encodeURIComponent(plant)}`
      const env = { PORT: '0', NODE_OPTIONS: preloaded }
      const { code, signal, out, err } = await runCommand(['serve'], { cwd, env })
      expect({ code, signal, out, err }).to.deep.equal({ code: 1, signal: null, out: '', err: 'forecourt: planted\n' })
    })
  }
})
