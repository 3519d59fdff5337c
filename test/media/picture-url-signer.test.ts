import { expect } from 'chai'
import { createPictureUrlSigner } from '../../src/media/picture-url-signer.ts'

const acme = { merchant: 'acme', mode: 'live' } as const
const awkward = { source: 'a/b ?#%ü', version: '9f-1-x/y' }

describe('picture URLs', () => {
  const signer = createPictureUrlSigner({ key: Buffer.alloc(32, 1), base: () => 'https://api.example/shop' })
  /** The source, and the version with signature. */
  const partsOf = (url: string) =>
    new URL(url).pathname.split('/').slice(-3, -1).map(decodeURIComponent) as [string, string]

  it('contain merchant, mode, picture and version, and can be verified', () => {
    const { thumb_url, large_url } = signer.createUrls(acme, awkward)
    expect(thumb_url).to.match(/^https:\/\/api\.example\/shop\/media\/acme\/live\/[^/?#]+\/[^/?#]+\/thumb\.webp$/)
    expect(large_url).to.equal(thumb_url.replace('thumb', 'large'))
    expect(signer.verify(acme, ...partsOf(thumb_url))).to.deep.equal({ ...acme, ...awkward })
  })

  it('are stable, and differ for another key', () => {
    expect(signer.createUrls(acme, awkward)).to.deep.equal(signer.createUrls(acme, awkward))
    const otherSigner = createPictureUrlSigner({ key: Buffer.alloc(32, 2), base: () => 'https://api.example/shop' })
    expect(otherSigner.verify(acme, ...partsOf(signer.createUrls(acme, awkward).thumb_url))).to.equal(null)
  })

  it('have a signature of at least 128 bits that is valid for one picture only', () => {
    const [source, signed] = partsOf(signer.createUrls(acme, awkward).thumb_url)
    const signature = signed.slice(awkward.version.length + 1)
    expect(signature).to.match(/^[\w-]{22}$/)
    expect(signer.verify({ ...acme, merchant: 'zenith' }, source, signed)).to.equal(null)
    expect(signer.verify({ ...acme, mode: 'sandbox' }, source, signed)).to.equal(null)
    expect(signer.verify(acme, 'another', signed)).to.equal(null)
    expect(signer.verify(acme, source, `other-${signature}`)).to.equal(null)
    for (const forged of ['', '-', signature, `-${signature}`, signed.slice(0, -1), `${signed}x`, 'x'.repeat(400)])
      expect(signer.verify(acme, source, forged), forged).to.equal(null)
  })
})
