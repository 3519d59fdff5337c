import { expect } from 'chai'
import type { Category } from '../../../src/ports/inventory.ts'
import { createMirrorSetup } from './mirror-setup.ts'

const BRAKES: Category = {
  category_id: 'c-1',
  name: 'Brakes',
  slug: 'brakes',
  parent_id: null,
  position: 1,
  product_count: 7,
}

describe('all categories of a mirror', () => {
  it('are read in parts, one in each turn of the event loop, for all requests that come meanwhile', async () => {
    const { backOffice, scope, world, asked } = createMirrorSetup()
    const parts: (Category[] | null)[] = [null, null, [BRAKES], null, [BRAKES]]
    const turns: number[] = []
    let turn = 0
    const count = () => {
      turn += 1
      immediate = setImmediate(count)
    }
    let immediate = setImmediate(count)
    world.readAllCategories = () => {
      turns.push(turn)
      return parts.shift()!
    }
    const first = await Promise.all([backOffice.categories(scope()), backOffice.categories(scope())])
    const next = await backOffice.categories(scope())
    clearImmediate(immediate)
    expect([...first, next].map(({ value }) => value)).to.deep.equal([[BRAKES], [BRAKES], [BRAKES]])
    expect([new Set(turns.slice(0, 3)).size, new Set(turns.slice(3)).size, asked]).to.deep.equal([3, 2, []])
  })

  it('are those of the inventory if a part cannot be read', async () => {
    const { backOffice, scope, world, asked, errors } = createMirrorSetup()
    const broken = new Error('the disk is broken')
    const parts = [
      () => null,
      () => {
        throw broken
      },
    ]
    world.readAllCategories = () => parts.shift()!()
    expect((await backOffice.categories(scope())).value).to.equal('live categories')
    expect([asked, errors]).to.deep.equal([['categories'], [broken]])
  })
})
