import { expect } from 'chai'
import { liveRoutes } from '../../src/diagnostics/live-call-sections.ts'
import { routes } from '../../src/routes/api-routes.ts'

describe('calls that need a system to say what holds now', () => {
  it('are calls that there are', () => {
    const known = routes.map(({ operationId }) => operationId)
    expect(liveRoutes.filter((route) => !known.includes(route))).to.deep.equal([])
  })
})
