import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect } from 'chai'
import { apiRoutes } from '../../src/routes/api-routes.ts'

describe('the storefront guide', () => {
  it('names every route with its method', () => {
    const text = readFileSync(resolve(import.meta.dirname, '../../docs/storefront-guide.md'), 'utf8')
    const calls = apiRoutes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    expect(calls.filter((call) => !text.includes(`\`${call}\``))).to.deep.equal([])
  })
})
