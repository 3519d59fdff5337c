import { expect } from 'chai'
import fc from 'fast-check'
import { digestOf, hintOf, isWellFormed, makeKey, modeOf } from '../../../src/storage/keys/api-key-format.ts'

const kind = fc.constantFrom('publishable' as const, 'secret' as const)
const mode = fc.constantFrom('sandbox' as const, 'live' as const)

describe('the format of a key', () => {
  it('shows its kind and mode, and holds by its checksum', () => {
    fc.assert(
      fc.property(kind, mode, (ofKind, inMode) => {
        const key = makeKey(ofKind, inMode)
        const prefix = `svc_${inMode === 'live' ? 'live' : 'test'}_${ofKind === 'secret' ? 'sec' : 'pub'}_`
        expect(key).to.match(new RegExp(`^${prefix}[0-9A-Za-z]{49}$`))
        expect(isWellFormed(key)).to.equal(true)
        expect(modeOf(key)).to.equal(inMode)
      }),
    )
  })

  it('tells one changed character, wherever it is', () => {
    const letter = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
    fc.assert(
      fc.property(kind, mode, fc.nat({ max: 48 }), letter, (ofKind, inMode, at, other) => {
        const key = makeKey(ofKind, inMode)
        const place = 13 + at
        fc.pre(key[place] !== other)
        expect(isWellFormed(key.slice(0, place) + other + key.slice(place + 1))).to.equal(false)
      }),
    )
  })

  it('is live for whatever does not begin as a test key', () => {
    for (const text of ['', 'svc_tes', 'SVC_TEST_pub_x', ' svc_test_', 'svc_live_pub_x'])
      expect(modeOf(text)).to.equal('live')
  })

  it('is kept as a digest and a hint that does not give it away', () => {
    const key = makeKey('secret', 'live')
    expect(digestOf(key)).to.match(/^[0-9a-f]{64}$/)
    expect(hintOf(key)).to.have.length(21)
    expect(hintOf(key)).to.equal(`${key.slice(0, 16)}…${key.slice(-4)}`)
  })

  it('never comes twice', () => {
    expect(new Set(Array.from({ length: 2_000 }, () => makeKey('publishable', 'live'))).size).to.equal(2_000)
  })
})
