/** Names one content of one picture: where it lies in the system, and which version of it. Each at most 200 characters. */
export interface PictureKey {
  /** What the adapter finds it again by. */
  source: string
  /** Differs when the content does: a digest, or what else changes with it. */
  version: string
}

/** The original, as the system keeps it, or a link in the system to a picture elsewhere: anybody may read it there. */
export type Picture = { version: string; bytes: Uint8Array } | { version: string; url: string }

/** Where the API serves a picture: absolute, WebP, for anybody, for ever the same under one address. */
export interface PictureUrls {
  thumb_url: string
  large_url: string
}
