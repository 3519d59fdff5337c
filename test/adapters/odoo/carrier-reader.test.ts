import { expect } from 'chai'
import { createCarrierReader } from '../../../adapters/odoo/delivery-options/carrier-reader.ts'
import { UpstreamError, type UpstreamFailure } from '../../../src/errors.ts'
import { createCall } from '../../support/create-call.ts'

function readWithFailure(failure: UpstreamFailure) {
  const fail = async (): Promise<never> => {
    throw new UpstreamError(failure, 'delivery.carrier/fields_get failed')
  }
  const sources = {
    rpc: { call: fail, search: fail, hasJson2: () => true },
    settings: { api_key: 'k' },
    readOptionalFields: fail,
  }
  return createCarrierReader({ ...sources, nowMs: () => 0 })(createCall())
}

describe('odoo: delivery methods of a server', () => {
  it('are none without the module for them', async () => {
    expect(await readWithFailure('not_configured')).to.deep.equal([])
  })

  it('are not none when the server lacks a field that they need', async () => {
    const fail = async (): Promise<never> => {
      throw new UpstreamError('not_configured', 'Invalid field free_over')
    }
    const rpc = { call: fail, search: fail, hasJson2: () => true }
    const sources = { rpc, settings: { api_key: 'k' }, readOptionalFields: async () => new Set<string>() }
    const error = await createCarrierReader({ ...sources, nowMs: () => 0 })(createCall()).catch((one: unknown) => one)
    expect(error).to.be.instanceOf(UpstreamError).and.include({ failure: 'not_configured' })
  })

  it('are not none when the server fails', async () => {
    const error = await readWithFailure('unavailable').catch((one: unknown) => one)
    expect(error).to.be.instanceOf(UpstreamError).and.include({ failure: 'unavailable' })
  })
})
