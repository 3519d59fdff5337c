import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { Mode } from '../config/config.ts'
import type { PictureKey, PictureUrls } from '../ports/picture.ts'

export interface PictureTenant {
  merchant: string
  mode: Mode
}

/** All that decides which bytes an address stands for. */
export interface PictureId extends PictureTenant, PictureKey {}

export const pictureSizes = ['thumb', 'large'] as const
export type PictureSize = (typeof pictureSizes)[number]

/** Raised when the same original would be made into other bytes, so that no address ever stands for two. */
const RECIPE = 1
/** In base64url: 132 bits. */
const SIGNATURE_LENGTH = 22

const stated = ({ merchant, mode, source, version }: PictureId) =>
  JSON.stringify([RECIPE, merchant, mode, source, version])

/** What its files are called by. Another for each address: bytes of an earlier recipe are never found under a later one's. */
export const pictureFileId = (name: PictureId): string => hash('sha256', stated(name)).slice(0, 40)

export interface PictureUrlSigner {
  urlsOf(owner: PictureTenant, picture: PictureKey): PictureUrls
  /** The picture that a path names; `null` when it was not signed here. `signed`: version and signature. */
  read(owner: PictureTenant, source: string, signed: string): PictureId | null
}

/**
 * `{base}/media/{merchant}/{mode}/{source}/{version}-{signature}/{size}.webp`. Signed with HMAC-SHA256, so that nobody can ask for what no
 * product ever showed, nor have originals fetched and coded for nothing.
 */
export function createPictureUrlSigner({ key, base }: { key: Buffer; base: () => string }): PictureUrlSigner {
  const signatureOf = (name: PictureId) =>
    createHmac('sha256', key).update(stated(name)).digest('base64url').slice(0, SIGNATURE_LENGTH)
  return {
    urlsOf(owner, { source, version }) {
      const signed = `${version}-${signatureOf({ ...owner, source, version })}`
      const path = [owner.merchant, owner.mode, source, signed].map(encodeURIComponent).join('/')
      const at = `${base()}/media/${path}`
      return { thumb_url: `${at}/thumb.webp`, large_url: `${at}/large.webp` }
    },
    read({ merchant, mode }, source, signed) {
      const dash = signed.length - SIGNATURE_LENGTH - 1
      if (dash < 1 || signed[dash] !== '-') return null
      const name = { merchant, mode, source, version: signed.slice(0, dash) }
      return same(signed.slice(dash + 1), signatureOf(name)) ? name : null
    },
  }
}

function same(given: string, ours: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(ours)]
  return a.length === b.length && timingSafeEqual(a, b)
}
