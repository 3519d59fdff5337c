/** The formats that are decoded. All others, such as SVG and PDF, are rejected before decoding. */
export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif'

/** Detects the format by the first bytes, regardless of names and headers. */
export function detectImageFormat(bytes: Uint8Array): ImageFormat | null {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg'
  if (bytes[0] === 0x89 && ascii(bytes, 1, 8) === 'PNG\r\n\x1a\n') return 'png'
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'webp'
  return /^GIF8[79]a$/.test(ascii(bytes, 0, 6)) ? 'gif' : null
}

const ascii = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))
