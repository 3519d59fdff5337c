import { expect } from 'chai'
import { createIdempotencyKey } from '../../src/client/browser.ts'

describe('createIdempotencyKey of the client for browsers', () => {
  it('returns keys that differ, without crypto.randomUUID, which pages over http do not have', () => {
    const { randomUUID } = crypto
    crypto.randomUUID = () => {
      throw new Error('not over http')
    }
    try {
      const keys = Array.from({ length: 100 }, createIdempotencyKey)
      expect(new Set(keys)).to.have.property('size', 100)
      for (const key of keys) expect(key).to.match(/^[\d-]{7,43}$/)
    } finally {
      crypto.randomUUID = randomUUID
    }
  })
})
