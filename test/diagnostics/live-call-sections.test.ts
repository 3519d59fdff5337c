import { expect } from 'chai'
import { liveCallRoutes } from '../../src/diagnostics/live-call-sections.ts'
import { apiRoutes } from '../../src/routes/api-routes.ts'

describe('calls that need a system to say what holds now', () => {
  it('are calls that there are', () => {
    const known = apiRoutes.map(({ operationId }) => operationId)
    expect(liveCallRoutes.filter((route) => !known.includes(route))).to.deep.equal([])
  })
})
