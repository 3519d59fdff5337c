import { expect } from 'chai'
import { createPictureUrlSigner } from '../../src/media/picture-url-signer.ts'

const acme = { merchant: 'acme', mode: 'live' } as const
const awkward = { source: 'a/b ?#%ü', version: '9f-1-x/y' }

describe('addresses of pictures', () => {
  const addresses = createPictureUrlSigner({ key: Buffer.alloc(32, 1), base: () => 'https://api.example/shop' })
  /** As a server gets it: source, and version with signature. */
  const partsOf = (url: string) =>
    new URL(url).pathname.split('/').slice(-3, -1).map(decodeURIComponent) as [string, string]

  it('name merchant, mode, picture and content, and are read back', () => {
    const { thumb_url, large_url } = addresses.urlsOf(acme, awkward)
    expect(thumb_url).to.match(/^https:\/\/api\.example\/shop\/media\/acme\/live\/[^/?#]+\/[^/?#]+\/thumb\.webp$/)
    expect(large_url).to.equal(thumb_url.replace('thumb', 'large'))
    expect(addresses.read(acme, ...partsOf(thumb_url))).to.deep.equal({ ...acme, ...awkward })
  })

  it('are the same each time, and others for another key', () => {
    expect(addresses.urlsOf(acme, awkward)).to.deep.equal(addresses.urlsOf(acme, awkward))
    const others = createPictureUrlSigner({ key: Buffer.alloc(32, 2), base: () => 'https://api.example/shop' })
    expect(others.read(acme, ...partsOf(addresses.urlsOf(acme, awkward).thumb_url))).to.equal(null)
  })

  it('carry a signature of at least 128 bits that holds for nothing else', () => {
    const [source, signed] = partsOf(addresses.urlsOf(acme, awkward).thumb_url)
    const signature = signed.slice(awkward.version.length + 1)
    expect(signature).to.match(/^[\w-]{22}$/)
    expect(addresses.read({ ...acme, merchant: 'zenith' }, source, signed)).to.equal(null)
    expect(addresses.read({ ...acme, mode: 'sandbox' }, source, signed)).to.equal(null)
    expect(addresses.read(acme, 'another', signed)).to.equal(null)
    expect(addresses.read(acme, source, `other-${signature}`)).to.equal(null)
    for (const broken of ['', '-', signature, `-${signature}`, signed.slice(0, -1), `${signed}x`, 'x'.repeat(400)])
      expect(addresses.read(acme, source, broken), broken).to.equal(null)
  })
})
