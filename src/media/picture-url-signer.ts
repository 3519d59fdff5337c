import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { PictureKey, PictureUrls } from '../ports/picture.ts'
import type { Tenant } from '../tenant.ts'

/** Everything that determines the bytes behind a URL. */
export interface PictureId extends Tenant, PictureKey {}

export const pictureSizes = ['thumb', 'large'] as const
export type PictureSize = (typeof pictureSizes)[number]

/** Increased when resizing produces other bytes, so that a URL always has the same content. */
const RESIZE_VERSION = 1
/** In base64url characters: 132 bits. */
const SIGNATURE_LENGTH = 22

const serialize = ({ merchant, mode, source, version }: PictureId) =>
  JSON.stringify([RESIZE_VERSION, merchant, mode, source, version])

/** The base name of a picture's files. It depends on everything that its URL depends on. */
export const pictureFileId = (name: PictureId): string => hash('sha256', serialize(name)).slice(0, 40)

export interface PictureUrlSigner {
  createUrls(tenant: Tenant, picture: PictureKey): PictureUrls
  /** Returns the picture of a path, or `null` when the signature is invalid. `signed`: version and signature. */
  verify(tenant: Tenant, source: string, signed: string): PictureId | null
}

/**
 * `{base}/media/{merchant}/{mode}/{source}/{version}-{signature}/{size}.webp`. Signed with HMAC-SHA256, so that only pictures
 * of products can be requested, and nobody can make the API fetch and resize arbitrary originals.
 */
export function createPictureUrlSigner({ key, base }: { key: Buffer; base: () => string }): PictureUrlSigner {
  const signatureOf = (name: PictureId) =>
    createHmac('sha256', key).update(serialize(name)).digest('base64url').slice(0, SIGNATURE_LENGTH)
  return {
    createUrls(tenant, { source, version }) {
      const signed = `${version}-${signatureOf({ ...tenant, source, version })}`
      const path = [tenant.merchant, tenant.mode, source, signed].map(encodeURIComponent).join('/')
      const url = `${base()}/media/${path}`
      return { thumb_url: `${url}/thumb.webp`, large_url: `${url}/large.webp` }
    },
    verify({ merchant, mode }, source, signed) {
      const separator = signed.length - SIGNATURE_LENGTH - 1
      if (separator < 1 || signed[separator] !== '-') return null
      const name = { merchant, mode, source, version: signed.slice(0, separator) }
      return isEqual(signed.slice(separator + 1), signatureOf(name)) ? name : null
    },
  }
}

function isEqual(given: string, ours: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(ours)]
  return a.length === b.length && timingSafeEqual(a, b)
}
