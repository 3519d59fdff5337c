import type { PictureKey, PictureUrls } from '../../src/ports/picture.ts'

/** Returns picture URLs for an adapter that is tested without an API; nothing serves them. */
export function pictureUrls({ source, version }: PictureKey): PictureUrls {
  const base = `https://api.example/media/${encodeURIComponent(source)}/${encodeURIComponent(version)}`
  return { thumb_url: `${base}/thumb.webp`, large_url: `${base}/large.webp` }
}
