import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect } from 'chai'
import { outcomes, type SandboxOutcome } from '../../fixtures/sandbox-outcomes.ts'

describe('the sandbox guide', () => {
  it('lists the outcomes that the fixtures have', () => {
    const text = readFileSync(resolve(import.meta.dirname, '../../docs/sandbox.md'), 'utf8')
    const table = ['| | shopper | with | outcome |', '|---|---|---|---|', ...outcomes.map(toRow)].join('\n')
    const listed = /<!-- outcomes -->\n([\s\S]*?)\n?<!-- \/outcomes -->/.exec(text)?.[1]
    expect(listed, `the table must be:\n${table}\n`).to.equal(table)
  })
})

const code = (text: string | undefined) => (text === undefined ? '' : `\`${text}\``)

function toRow({ what, shopper, sku, promotion_code, order_id, outcome, how }: SandboxOutcome): string {
  const given = [code(sku), code(promotion_code), code(order_id)].filter(Boolean).join(' ')
  return `| ${what} | ${code(shopper?.email)} | ${given} | \`${outcome}\`${how ? ` (${how})` : ''} |`
}
