import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect } from 'chai'
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
