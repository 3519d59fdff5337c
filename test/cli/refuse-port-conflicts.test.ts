import { expect } from 'chai'
import { refusePortConflicts } from '../../src/cli/refuse-port-conflicts.ts'
import { UsageError } from '../../src/cli/usage-error.ts'

const listeners = (api: number, operations = api + 1) => ({
  listen: { host: '127.0.0.1', port: api },
  operations: { host: '127.0.0.1', port: operations, metrics: false },
  metrics: null,
})

describe('the ports of the embedded back office', () => {
  for (const [firstPort, api, name] of [
    [4177, 4177, "of the API (PORT or listen.port) and of the sandbox's inventory system"],
    [4176, 4177, "of the API (PORT or listen.port) and of the sandbox's pricing system"],
    [4077, 4177, "of the API (PORT or listen.port) and of the control of the sandbox's inventory system"],
    [
      4178,
      4177,
      "of the operations pages (operations.port, or the port after that of the API) and of the sandbox's inve",
    ],
  ] as const)
    it(`may not be that ${name}`, () =>
      expect(() => refusePortConflicts(firstPort, listeners(api))).to.throw(UsageError, name))

  it('may be any others, also when the system chooses those of the API', () => {
    refusePortConflicts(8_091, listeners(8_080))
    refusePortConflicts(8_091, listeners(0, 0))
  })
})
