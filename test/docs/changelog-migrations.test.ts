import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'

const root = join(import.meta.dirname, '../..')

describe('the changelog', () => {
  it('names migrations that exist', () => {
    const text = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
    const named = [...text.matchAll(/`(\d{3}-[\w-]+)`/g)].map(([, name]) => name!)
    const files = readdirSync(join(root, 'src/storage/migrations'))
    expect(named).to.have.lengthOf.above(5)
    expect(named.filter((name) => !files.includes(`${name}.ts`))).to.deep.equal([])
  })
})
