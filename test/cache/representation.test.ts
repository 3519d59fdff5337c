import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip } from 'node:zlib'
import { expect } from 'chai'
import { compressRepresentation, identityRepresentation } from '../../src/cache/representation.ts'

const LONG = JSON.stringify({ text: 'forecourt '.repeat(500), more: 'é' })

describe('a representation', () => {
  const etagOf = (bytes: string | Uint8Array) => `"${hash('sha256', bytes, 'base64url')}"`

  it('has a strong ETag of its bytes, and their count', () => {
    expect(identityRepresentation('é')).to.include({ coding: 'identity', body: 'é', bytes: 2, etag: etagOf('é') })
    expect(identityRepresentation(LONG).etag).to.equal(identityRepresentation(LONG).etag)
  })

  it('has another ETag in each coding, and the same content', async () => {
    const plain = identityRepresentation(LONG)
    const [gz, br] = await Promise.all([compressRepresentation(plain, 'gzip'), compressRepresentation(plain, 'br')])
    expect(new Set([plain.etag, gz!.etag, br!.etag]).size).to.equal(3)
    expect([gz!.etag, gz!.bytes]).to.deep.equal([etagOf(gz!.body), Buffer.byteLength(gz!.body)])
    expect(String(await promisify(gunzip)(gz!.body))).to.equal(LONG)
    expect(String(await promisify(brotliDecompress)(br!.body))).to.equal(LONG)
    expect(gz!.bytes).to.be.below(plain.bytes / 10)
  })

  it('is not compressed when too short to gain', async () => {
    expect([
      await compressRepresentation(identityRepresentation('x'.repeat(859)), 'gzip'),
      (await compressRepresentation(identityRepresentation('x'.repeat(860)), 'gzip'))?.coding,
    ]).to.deep.equal([null, 'gzip'])
  })
})
