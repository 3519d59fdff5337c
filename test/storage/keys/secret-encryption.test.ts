import { expect } from 'chai'
import { createSecretCipher } from '../../../src/storage/keys/secret-encryption.ts'

const KEY = Buffer.alloc(32, 7)
const OLD_KEY = Buffer.alloc(32, 6)

describe('the secret cipher', () => {
  const cipher = createSecretCipher([KEY, OLD_KEY])

  it('decrypts what it encrypted, for the same purpose only', () => {
    const encrypted = cipher.encrypt('whsec_ü', 'one')
    expect(encrypted).to.not.include('whsec')
    expect(cipher.decrypt(encrypted, 'one')).to.equal('whsec_ü')
    expect(() => cipher.decrypt(encrypted, 'another')).to.throw()
  })

  it('encrypts the same text differently each time', () => {
    expect(cipher.encrypt('a', 'one')).to.not.equal(cipher.encrypt('a', 'one'))
  })

  it('refuses a value with a changed byte', () => {
    const [version, id, payload] = cipher.encrypt('text', 'one').split('.')
    const bytes = Buffer.from(payload!, 'base64url')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      expect(() => cipher.decrypt(`${version}.${id}.${changed.toString('base64url')}`, 'one'), `byte ${at}`).to.throw()
    }
    for (const cut of ['', 'AAAA', payload!.slice(0, -4)])
      expect(() => cipher.decrypt(`v1.${id}.${cut}`, 'one')).to.throw()
  })

  it('encrypts with the first key, and decrypts with all of them', () => {
    const encrypted = createSecretCipher([OLD_KEY]).encrypt('text', 'one')
    expect(cipher.decrypt(encrypted, 'one')).to.equal('text')
    expect(() => createSecretCipher([KEY]).decrypt(encrypted, 'one')).to.throw('webhooks.previous_keys')
    expect(() => createSecretCipher([OLD_KEY]).decrypt(cipher.encrypt('text', 'one'), 'one')).to.throw(
      'webhooks.previous_keys',
    )
  })
})
