import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect } from 'chai'
import { outcomes, type SandboxOutcome } from '../../fixtures/sandbox-outcomes.ts'
import { attemptErrors } from '../../src/contract/webhook-delivery.ts'
import { apiRoutes } from '../../src/routes/api-routes.ts'
import { anchorsOf } from './markdown-anchors.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const pages = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

describe('the guides', () => {
  for (const page of pages) {
    it(`${page} links to files and headings that exist`, () => {
      const links = [...read(page).matchAll(/\]\((?!https?:)([^)\s]*)\)/g)].map((match) => match[1]!)
      const broken = links.filter((link) => {
        const [path, anchor] = link.split('#') as [string, string | undefined]
        const target = path === '' ? page : relative(root, resolve(root, dirname(page), path))
        if (!existsSync(join(root, target))) return true
        return anchor !== undefined && !anchorsOf(read(target)).includes(anchor)
      })
      expect(broken).to.deep.equal([])
    })

    it(`${page} names files that exist`, () => {
      const named = [
        ...read(page).matchAll(/(?<![\w./-])((?:src|test|bench|adapters|fixtures|docs)\/[\w./-]+\.\w+)/g),
      ].map((match) => match[1]!)
      expect(named.filter((path) => !path.includes('acme') && !existsSync(join(root, path)))).to.deep.equal([])
    })
  }

  it('names no command that npx would download outside a checkout', () => {
    const guides = pages.filter((page) => page.startsWith('docs/'))
    expect(guides.filter((page) => /^(?!.*Do not use).*npx forecourt/m.test(read(page)))).to.deep.equal([])
  })

  it('the README fits on two screens', () => {
    expect(read('README.md').split('\n').length).to.be.at.most(130)
  })
})

describe('the storefront guide', () => {
  it('names every route with its method', () => {
    const text = read('docs/storefront-guide.md')
    const calls = apiRoutes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    expect(calls.filter((call) => !text.includes(`\`${call}\``))).to.deep.equal([])
  })
})

describe('the sandbox guide', () => {
  it('explains each error of a webhook attempt', () => {
    const rows = [...read('docs/webhooks.md').matchAll(/^\| `([a-z_]+)` \| (?=[a-zA-Z])/gm)].map(([, code]) => code)
    expect(rows).to.deep.equal(Object.keys(attemptErrors))
  })

  it('lists the outcomes that the fixtures have', () => {
    const table = ['| | shopper | with | outcome |', '|---|---|---|---|', ...outcomes.map(toRow)].join('\n')
    const listed = /<!-- outcomes -->\n([\s\S]*?)\n?<!-- \/outcomes -->/.exec(read('docs/sandbox.md'))?.[1]
    expect(listed, `the table must be:\n${table}\n`).to.equal(table)
  })
})

const code = (text: string | undefined) => (text === undefined ? '' : `\`${text}\``)

function toRow({ what, shopper, sku, promotion_code, order_id, outcome, how }: SandboxOutcome): string {
  const given = [code(sku), code(promotion_code), code(order_id)].filter(Boolean).join(' ')
  return `| ${what} | ${code(shopper?.email)} | ${given} | \`${outcome}\`${how ? ` (${how})` : ''} |`
}
