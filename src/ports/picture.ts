/** Identifies one version of one picture. Each member has at most 200 characters. */
export interface PictureKey {
  /** The adapter's identifier of the picture in the system. */
  source: string
  /** Changes with the content, like a digest. */
  version: string
}

/** The original of a picture, or a public URL that the system stores in its place. */
export type Picture = { version: string; bytes: Uint8Array } | { version: string; url: string }

/** The public URLs of a picture in the API: absolute, WebP, immutable. */
export interface PictureUrls {
  thumb_url: string
  large_url: string
}
