import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { parse, stringify } from 'yaml'
import { anchorsOf } from './markdown-anchors.ts'
import { alerts, panelExpressions } from './prometheus-expressions.ts'
import { hasPromtool, runPromtool } from './promtool.ts'
import { docsFile, readDoc } from './read-doc.ts'

interface Proof {
  tests: { name: string; alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[]
}

const proofs = ['alerts/forecourt.rules.test.yml', 'alerts/forecourt.rules.days.test.yml']

describe('the alert rules', () => {
  if (hasPromtool()) {
    it('are well-formed', () => {
      expect(runPromtool('check', 'rules', docsFile('alerts/forecourt.rules.yml'))).to.equal('')
    })

    it('fire only when they should', () => {
      expect(runPromtool('test', 'rules', ...proofs.map(docsFile))).to.equal('')
    })

    it('and the dashboard use valid PromQL', () => {
      const directory = mkdtempSync(join(tmpdir(), 'forecourt-panels-'))
      try {
        const file = join(directory, 'panels.yml')
        const recorded = panelExpressions.map(({ expr }, at) => ({ record: `panel:${at}`, expr }))
        writeFileSync(file, stringify({ groups: [{ name: 'panels', rules: recorded }] }))
        expect(runPromtool('check', 'rules', file)).to.equal('')
      } finally {
        rmSync(directory, { recursive: true })
      }
    })
  }

  const tests = proofs.flatMap((file) => (parse(readDoc(file)) as Proof).tests)
  const page = readDoc('alerts.md')
  const anchors = anchorsOf(readDoc('operations.md'))

  for (const { alert, labels, annotations } of alerts) {
    it(`${alert} has a test, an explanation and a link to the guide`, () => {
      const fires = tests.some(({ alert_rule_test }) =>
        alert_rule_test.some(({ alertname, exp_alerts }) => alertname === alert && exp_alerts.length > 0),
      )
      expect(fires, 'a case of *.test.yml in which it fires').to.equal(true)
      expect(page).to.include(`| \`${alert}\` | ${labels.severity} |`)
      expect(['page', 'ticket']).to.include(labels.severity)
      const [file, anchor] = annotations.runbook.split('#')
      expect(file).to.equal('docs/operations.md')
      expect(anchors).to.include(anchor)
    })
  }

  it('are exactly those of docs/alerts.md', () => {
    const told = [...page.matchAll(/^\| `(\w+)` \| (?:page|ticket) \|/gm)].map(([, alert]) => alert)
    expect(told).to.have.members(alerts.map(({ alert }) => alert))
  })
})
