import pLimit from 'p-limit'
import type Sharp from 'sharp'
import { UpstreamError } from '../errors.ts'
import { detectImageFormat } from './detect-image-format.ts'
import type { PictureSize } from './picture-url-signer.ts'

export type ResizedPictures = Record<PictureSize, Buffer>
export type PictureResizer = (original: Uint8Array) => Promise<ResizedPictures>

/** The maximum size of an original. */
export const MAX_PICTURE_BYTES = 20 * 1_048_576
/** More than cameras have. */
const MAX_PIXELS = 50_000_000
/** The maximum size in memory: rotation and layered formats need the whole picture. */
const MAX_DECODED_BYTES = 200_000_000
const TIMEOUT_S = 8
/** The longer side in pixels. */
const MAX_SIDE: Record<PictureSize, number> = { thumb: 160, large: 800 }
const WEBP = { quality: 80, effort: 4 }
const CONCURRENCY = 2

/** The error of an original that cannot be shown. */
export const unreadablePicture = (reason: string) => new UpstreamError('invalid', reason, { retryAfterMs: 60_000 })

let sharpPromise: Promise<typeof Sharp> | undefined

/** Imports sharp with the first picture: it takes memory and 100 ms. Disables all other decoders of libvips for the whole process. */
function loadSharp(): Promise<typeof Sharp> {
  sharpPromise ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    sharp.concurrency(1)
    sharp.block({ operation: ['VipsForeignLoad'] })
    const decoders = ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((name) => `VipsForeignLoad${name}Buffer`)
    sharp.unblock({ operation: decoders })
    return sharp
  })
  return sharpPromise
}

/**
 * Creates both sizes of a picture as WebP: upright, sRGB, never enlarged, without metadata (place, time, owner). Resizes two at a time,
 * so that many new pictures leave processor time for other work. Rejects with UpstreamError.
 */
export function createPictureResizer(): PictureResizer {
  const limit = pLimit(CONCURRENCY)
  return (original) => limit(resize, original)
}

async function resize(original: Uint8Array): Promise<ResizedPictures> {
  if (original.byteLength > MAX_PICTURE_BYTES)
    throw unreadablePicture(`${original.byteLength} bytes exceed the limit for pictures`)
  if (detectImageFormat(original) === null)
    throw unreadablePicture(`not a JPEG, PNG, WebP or GIF: ${firstBytes(original)}`)
  const sharp = await loadSharp()
  try {
    const limits = { limitInputPixels: MAX_PIXELS, failOn: 'error' } as const
    const { width, height, channels, depth } = await sharp(original, limits).metadata()
    if (width * height * channels * (depth === 'uchar' ? 1 : 2) > MAX_DECODED_BYTES)
      throw new Error(`${width} by ${height} pixels with ${channels} channels of ${depth} exceed the limit`)
    const { data, info } = await sharp(original, limits)
      .timeout({ seconds: TIMEOUT_S })
      .autoOrient()
      .resize({ ...square(MAX_SIDE.large), fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    const upright = () => sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
    const thumb = upright().resize({ ...square(MAX_SIDE.thumb), fit: 'inside', withoutEnlargement: true })
    // Sequential: file access, DNS and password hashing share the same thread pool.
    const large = await upright().webp(WEBP).toBuffer()
    return { thumb: await thumb.webp(WEBP).toBuffer(), large }
  } catch (error) {
    throw unreadablePicture(`cannot be decoded: ${(error as Error).message}`)
  }
}

const square = (side: number) => ({ width: side, height: side })
const firstBytes = (bytes: Uint8Array) =>
  bytes.byteLength === 0 ? 'empty file' : Buffer.from(bytes.subarray(0, 16)).toString('hex')
