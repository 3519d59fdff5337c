import { expect } from 'chai'
import { liveCallRoutes } from '../../src/diagnostics/healthy-live-call-sections.ts'
import { apiRoutes } from '../../src/routes/api-routes.ts'

describe('routes that call systems live', () => {
  it('exist', () => {
    const known = apiRoutes.map(({ operationId }) => operationId)
    expect(liveCallRoutes.filter((route) => !known.includes(route))).to.deep.equal([])
  })
})
