/** A line of text on a page, from the top. Columns are in points from the left edge of an A4 page, which is 595 wide. */
export interface PdfLine {
  size?: number
  texts: { at: number; text: string }[]
}

const PAGE_HEIGHT = 842
const TOP = 790
const BOTTOM = 50
const LEADING = 1.5

/**
 * Returns a PDF 1.4 of these lines in Helvetica, on as many pages as they need. The format is small enough to write
 * without a library: objects, the table of their positions, and the trailer (ISO 32000-1, 7.5).
 */
export function createPdf(lines: readonly PdfLine[]): Buffer {
  const pages = paginateLines(lines).map((content) => Buffer.from(content, 'latin1'))
  const pageNumbers = pages.map((_, index) => 4 + index * 2)
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pageNumbers.map((number) => `${number} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((content, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 ${PAGE_HEIGHT}] /Resources << /Font << /F1 3 0 R >> >> /Contents ${pageNumbers[index]! + 1} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content.toString('latin1')}\nendstream`,
    ]),
  ]
  return assembleObjects(objects)
}

function paginateLines(lines: readonly PdfLine[]): string[] {
  const pages: string[][] = [[]]
  let y = TOP
  for (const { size = 10, texts } of lines) {
    if (y < BOTTOM) {
      pages.push([])
      y = TOP
    }
    const shown = texts.map(({ at, text }) => `BT /F1 ${size} Tf ${at} ${y} Td (${escapeText(text)}) Tj ET`)
    pages.at(-1)!.push(...shown)
    y -= size * LEADING
  }
  return pages.map((content) => content.join('\n'))
}

/** Characters that the standard font does not have become question marks. */
const escapeText = (text: string) => text.replace(/[^\x20-\x7e\xa0-\xff]/g, '?').replace(/[\\()]/g, '\\$&')

function assembleObjects(objects: readonly string[]): Buffer {
  let text = '%PDF-1.4\n'
  const positions = objects.map((object, index) => {
    const position = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return position
  })
  const table = positions.map((position) => `${String(position).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(`${text}xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`, 'latin1')
}
