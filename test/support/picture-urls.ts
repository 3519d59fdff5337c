import type { PictureKey, PictureUrls } from '../../src/ports/picture.ts'

/** For an adapter that is connected without an API in front of it: nothing answers there. */
export function pictureUrls({ source, version }: PictureKey): PictureUrls {
  const at = `https://api.example/media/${encodeURIComponent(source)}/${encodeURIComponent(version)}`
  return { thumb_url: `${at}/thumb.webp`, large_url: `${at}/large.webp` }
}
