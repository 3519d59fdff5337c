import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { outcomes, type SandboxOutcome } from '../../fixtures/outcomes.ts'
import { apiRoutes } from '../../src/routes/api-routes.ts'

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
const code = (text: string | undefined) => (text === undefined ? '' : `\`${text}\``)

function row({ what, shopper, sku, promotion_code, order_id, outcome, how }: SandboxOutcome): string {
  const given = [code(sku), code(promotion_code), code(order_id)].filter(Boolean).join(' ')
  return `| ${what} | ${code(shopper?.email)} | ${given} | \`${outcome}\`${how ? ` (${how})` : ''} |`
}

describe('the README', () => {
  it('lists the sandbox’s outcomes as the fixtures have them', () => {
    const table = ['| | shopper | with | outcome |', '|---|---|---|---|', ...outcomes.map(row)].join('\n')
    const listed = /<!-- outcomes -->\n([\s\S]*?)\n?<!-- \/outcomes -->/.exec(readme)?.[1]
    expect(listed, `between the marks belongs:\n${table}\n`).to.equal(table)
  })

  it('names every call', () => {
    const said = readme.replace(/`/g, ' ')
    const missing = apiRoutes.filter(
      ({ path }) =>
        !said.includes(
          path
            .split('/')
            .at(-1)!
            .replace(/^:(\w+)$/, '{$1}'),
        ),
    )
    expect(missing.map(({ path }) => path)).to.deep.equal([])
  })
})
