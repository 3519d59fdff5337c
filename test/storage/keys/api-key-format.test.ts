import { expect } from 'chai'
import fc from 'fast-check'
import { sha256Hex } from '../../../src/security/sha256.ts'
import {
  generateApiKey,
  isWellFormedApiKey,
  parseKeyMode,
  toKeyHint,
} from '../../../src/storage/keys/api-key-format.ts'

const kind = fc.constantFrom('publishable' as const, 'secret' as const)
const mode = fc.constantFrom('sandbox' as const, 'live' as const)

describe('the format of an API key', () => {
  it('shows its kind and mode, and has a valid checksum', () => {
    fc.assert(
      fc.property(kind, mode, (ofKind, inMode) => {
        const key = generateApiKey(ofKind, inMode)
        const prefix = `svc_${inMode === 'live' ? 'live' : 'test'}_${ofKind === 'secret' ? 'sec' : 'pub'}_`
        expect(key).to.match(new RegExp(`^${prefix}[0-9A-Za-z]{49}$`))
        expect(isWellFormedApiKey(key)).to.equal(true)
        expect(parseKeyMode(key)).to.equal(inMode)
      }),
    )
  })

  it('detects one changed character at any position', () => {
    const letter = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
    fc.assert(
      fc.property(kind, mode, fc.nat({ max: 48 }), letter, (ofKind, inMode, at, other) => {
        const key = generateApiKey(ofKind, inMode)
        const position = 13 + at
        fc.pre(key[position] !== other)
        expect(isWellFormedApiKey(key.slice(0, position) + other + key.slice(position + 1))).to.equal(false)
      }),
    )
  })

  it('states no mode unless it starts like a key', () => {
    for (const text of ['', 'svc_tes', 'SVC_TEST_pub_x', ' svc_test_', 'svc_live'])
      expect(parseKeyMode(text)).to.equal(null)
  })

  it('has a hint that does not reveal it', () => {
    const key = generateApiKey('secret', 'live')
    expect(sha256Hex(key)).to.match(/^[0-9a-f]{64}$/)
    expect(toKeyHint(key)).to.have.length(21)
    expect(toKeyHint(key)).to.equal(`${key.slice(0, 16)}…${key.slice(-4)}`)
  })

  it('is never generated twice', () => {
    expect(new Set(Array.from({ length: 2_000 }, () => generateApiKey('publishable', 'live'))).size).to.equal(2_000)
  })
})
