import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect } from 'chai'
import { parse, stringify } from 'yaml'
import { adapters } from '../../src/adapters.ts'
import { parseConfig } from '../../src/config/parse-config-file.ts'
import { UpstreamError, type UpstreamFailure } from '../../src/errors.ts'
import { problemTypes } from '../../src/problem-types.ts'
import { sectionError } from '../../src/sections/section-errors.ts'
import { anchorsOf } from './markdown-anchors.ts'
import { docsFile, readDoc } from './read-doc.ts'

const root = resolve(import.meta.dirname, '../..')
const chart = resolve(root, 'docs/install/helm/forecourt')
const guide = readDoc('operations.md')

/** All there are: the type holds that none is left out. */
const failures = Object.keys({
  timeout: 1,
  unavailable: 1,
  error: 1,
  invalid: 1,
  rejected: 1,
  unauthorized: 1,
  misconfigured: 1,
  rate_limited: 1,
  circuit_open: 1,
  maintenance: 1,
  overloaded: 1,
  not_configured: 1,
  aborted: 1,
} satisfies Record<UpstreamFailure, 1>) as UpstreamFailure[]

const codeOf = (failure: UpstreamFailure, partial: boolean) =>
  sectionError('price', { stale: false, partial, asOf: 0 }, new UpstreamError(failure, '')).code
const sectionCodes = new Set([...failures.map((failure) => codeOf(failure, false)), codeOf('error', true)])

/** Returns the text below a heading, up to the next one. */
function sectionOf(heading: string): string | null {
  const from = guide.indexOf(`\n### ${heading}\n`)
  if (from < 0) return null
  const text = guide.slice(from + heading.length + 6)
  return text.slice(0, text.search(/\n##+ /) >>> 0)
}

const rowOf = (code: string) => guide.split('\n').find((line) => line.startsWith(`| \`${code}\` |`)) ?? null

/** Returns the four parts of a code's entry. */
function entryOf(code: string): string[] {
  const text = sectionOf(code)
  const parts = text
    ? ['Symptom', 'Cause', 'Look at', 'Do'].map((part) => new RegExp(`- \\*\\*${part}\\.\\*\\* (.+)`).exec(text)?.[1])
    : rowOf(code)?.split('|').slice(2, 6)
  return (parts ?? []).map((part) => part?.trim() ?? '')
}

describe('the operations guide', () => {
  for (const code of new Set([...sectionCodes, ...Object.keys(problemTypes), 'validation', 'bad_request'])) {
    it(`explains ${code}: symptom, cause, where to look, what to do`, () => {
      const entry = entryOf(code)
      expect(entry).to.have.length(4)
      for (const part of entry) expect(part.length, `a part of the entry of ${code}`).to.be.at.least(3)
    })
  }

  it('lists the section codes under their own heading', () => {
    const [from, to] = [guide.indexOf('\n## Codes of a section'), guide.indexOf('\n## Codes of a problem')]
    for (const code of sectionCodes) expect(guide.slice(from, to), code).to.include(`\n### ${code}\n`)
  })

  it('names no unknown code', () => {
    const rows = [...guide.matchAll(/^\| `([a-z_]+)` \| /gm)].map(([, code]) => code!)
    const listed = rows.filter((code) => code.includes('_') && !code.startsWith('hook_'))
    for (const code of listed) expect([...Object.keys(problemTypes), 'validation', 'bad_request']).to.include(code)
    expect(listed).to.have.length.above(25)
  })

  for (const page of ['operations.md', 'alerts.md']) {
    it(`${page} has no broken links`, () => {
      const text = readDoc(page)
      for (const [, target] of text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
        const [file, anchor] = target!.split('#')
        const path = file === '' ? page : file!
        expect(existsSync(docsFile(path)), target).to.equal(true)
        if (anchor) expect(anchorsOf(readDoc(path)), target).to.include(anchor)
      }
    })
  }

  it('uses valid settings', () => {
    const blocks = [...guide.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, text]) => text!)
    const settings = blocks.filter((text) => /^(operations|drain):/m.test(text))
    expect(settings).to.have.length(4)
    const env = { FORECOURT_STORE: 'postgres://a@b/c', FORECOURT_WEBHOOKS_KEY: 'A'.repeat(43) }
    for (const text of settings) {
      const whole = `${text}\nmerchants: { acme: { name: Acme, currency: JMD, time_zone: America/Jamaica } }\n`
      expect(() => parseConfig(whole, 'the guide', adapters, env)).to.not.throw()
    }
    for (const text of blocks) expect(parse(text)).to.be.an('object')
  })

  it('has values of the chart with a configuration that the server accepts', () => {
    const text = [...guide.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].find(([, block]) =>
      block!.startsWith('# shop.yaml'),
    )![1]!
    const { config, ...values } = parse(text)
    const known = parse(readFileSync(resolve(chart, 'values.yaml'), 'utf8'))
    expect(Object.keys(known)).to.include.members(Object.keys(values))
    expect(() => parseConfig(stringify(config), 'the guide', adapters, { ERP_TOKEN: 'token' })).to.not.throw()
  })

  it('has a chart of this release, with enough time to drain and probes that exist', () => {
    const { version } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'))
    expect(parse(readFileSync(resolve(chart, 'Chart.yaml'), 'utf8'))).to.include({ version, appVersion: version })
    const helpers = readFileSync(resolve(chart, 'templates/_helpers.tpl'), 'utf8')
    expect(helpers).to.include('"drain" (dict "delay_seconds" 5 "finish_seconds" 10)')
    const { terminationGracePeriodSeconds } = parse(readFileSync(resolve(chart, 'values.yaml'), 'utf8'))
    expect(terminationGracePeriodSeconds).to.be.above(5 + 10 + 5)
    const deployment = readFileSync(resolve(chart, 'templates/deployment.yaml'), 'utf8')
    const probes = [...deployment.matchAll(/(\w+)Probe: \{ httpGet: \{ path: (\S+), port: (\S+) \}/g)]
    expect(probes.map(([, name, path, port]) => `${name} ${path} ${port}`)).to.deep.equal([
      'startup /readyz metrics',
      'readiness /readyz metrics',
      'liveness /livez metrics',
    ])
  })
})
