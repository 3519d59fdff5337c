import { deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** Pictures of a back office. Create them before any is decoded: the resizer disables most decoders. */
export const photo = (width = 1_200, height = 900, colour = '#b8402c') =>
  sharp({ create: { width, height, channels: 3, background: colour } })

export const jpeg = (width?: number, height?: number, colour?: string) => photo(width, height, colour).jpeg().toBuffer()

/** A portrait photo with a GPS position. */
export const fromPhone = () =>
  photo(1_200, 900)
    .withExif({ IFD0: { Copyright: 'Marcia' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '18/1 0/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()

/** A decompression bomb: a PNG of a few kilobytes with many pixels of one color. */
export function bomb(width: number, height: number, depth: 8 | 16 = 8): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, 2, 0, 0, 0], 8)
  const row = Buffer.alloc(1 + width * 3)
  const rows = deflateSync(Buffer.concat(Array.from({ length: 16 }, () => row)))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

function chunk(kind: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind), content])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(content.length, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="file:///etc/passwd"/></svg>'

/** Files that are not valid pictures. */
export async function invalidImages(): Promise<Record<string, Buffer>> {
  const good = await jpeg()
  const png = await photo(300, 300).png().toBuffer()
  return {
    nothing: Buffer.alloc(0),
    'one byte': Buffer.from([0xff]),
    svg: Buffer.from(svg),
    'svg behind a gap': Buffer.from(`\n  <?xml version="1.0"?>${svg}`),
    html: Buffer.from('<!doctype html><script>alert(1)</script>'),
    pdf: Buffer.from('%PDF-1.7\n1 0 obj'),
    text: Buffer.from('viewBox viewBox'),
    tiff: await photo(40, 40).tiff().toBuffer(),
    avif: await photo(40, 40).avif().toBuffer(),
    'a truncated JPEG': good.subarray(0, good.length / 2),
    'a truncated PNG': png.subarray(0, 60),
    'the first bytes of a JPEG': good.subarray(0, 20),
    'the first bytes of a WebP, and SVG': Buffer.concat([Buffer.from('RIFF\x40\0\0\0WEBP'), Buffer.from(svg)]),
    'an empty GIF': Buffer.from('GIF89a'),
    'a PNG of 2,500 million pixels': bomb(50_000, 50_000),
    'a PNG slightly above the limit': bomb(7_000, 7_000, 16),
  }
}
