import pLimit from 'p-limit'
import type Sharp from 'sharp'
import { UpstreamError } from '../errors.ts'
import { detectImageFormat } from './image-format.ts'
import type { PictureSize } from './picture-url-signer.ts'

export type ResizedPictures = Record<PictureSize, Buffer>
export type PictureResizer = (original: Uint8Array) => Promise<ResizedPictures>

/** Of an original. */
export const MAX_PICTURE_BYTES = 20 * 1_048_576
/** Cameras have fewer. */
const MAX_PIXELS = 50_000_000
/** In memory: some pictures must be there whole, to be turned upright or because they come in layers. */
const MAX_DECODED_BYTES = 200_000_000
const LONGEST_S = 8
/** The longer side. */
const PIXELS: Record<PictureSize, number> = { thumb: 160, large: 800 }
const WEBP = { quality: 80, effort: 4 }
const AT_ONCE = 2

/** `UpstreamError('invalid')`: nothing that a shopper could be shown. */
export const unreadablePicture = (why: string) => new UpstreamError('invalid', why, { retryAfterMs: 60_000 })

let loading: Promise<typeof Sharp> | undefined

/** Loaded with the first picture: it takes memory and a tenth of a second. The other decoders of libvips are shut for the whole process. */
function loaded(): Promise<typeof Sharp> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    sharp.concurrency(1)
    sharp.block({ operation: ['VipsForeignLoad'] })
    const decoders = ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((name) => `VipsForeignLoad${name}Buffer`)
    sharp.unblock({ operation: decoders })
    return sharp
  })
  return loading
}

/**
 * Both sizes of a picture as WebP: upright, sRGB, never enlarged, without what a camera wrote beside (place, time, owner). Two at a time,
 * so that a gallery of new pictures does not take the processors from everything else. Rejects with UpstreamError.
 */
export function createPictureResizer(): PictureResizer {
  const places = pLimit(AT_ONCE)
  return (original) => places(derive, original)
}

async function derive(original: Uint8Array): Promise<ResizedPictures> {
  if (original.byteLength > MAX_PICTURE_BYTES)
    throw unreadablePicture(`${original.byteLength} bytes are too many for a picture`)
  if (detectImageFormat(original) === null) throw unreadablePicture(`no JPEG, PNG, WebP or GIF: ${beginning(original)}`)
  const sharp = await loaded()
  try {
    const limits = { limitInputPixels: MAX_PIXELS, failOn: 'error' } as const
    const { width, height, channels, depth } = await sharp(original, limits).metadata()
    if (width * height * channels * (depth === 'uchar' ? 1 : 2) > MAX_DECODED_BYTES)
      throw new Error(`${width} by ${height} pixels of ${channels} ${depth} are too many`)
    const { data, info } = await sharp(original, limits)
      .timeout({ seconds: LONGEST_S })
      .autoOrient()
      .resize({ ...box(PIXELS.large), fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    const upright = () => sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
    const small = upright().resize({ ...box(PIXELS.thumb), fit: 'inside', withoutEnlargement: true })
    // One after the other: files, names and passwords wait for the same few threads.
    const large = await upright().webp(WEBP).toBuffer()
    return { thumb: await small.webp(WEBP).toBuffer(), large }
  } catch (error) {
    throw unreadablePicture(`not to be decoded: ${(error as Error).message}`)
  }
}

const box = (side: number) => ({ width: side, height: side })
const beginning = (bytes: Uint8Array) =>
  bytes.byteLength === 0 ? 'it is empty' : Buffer.from(bytes.subarray(0, 16)).toString('hex')
