import { print } from './print.ts'

const MIN_LAST_COLUMN = 40

/** Prints rows below their headings, each column as wide as its longest cell. The last column is wrapped to fit into `width`. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[], width = Infinity): void {
  for (const line of formatTable(headings, rows, width)) print(line)
}

export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  const widths = headings.map((heading, i) => Math.max(heading.length, ...rows.map((row) => row[i]!.length)))
  const indent = widths.slice(0, -1).reduce((sum, columnWidth) => sum + columnWidth + 2, 0)
  const lastWidth = Math.max(MIN_LAST_COLUMN, width - indent)
  return [headings, ...rows].flatMap((row) => {
    const firstCells = row.slice(0, -1).map((cell, i) => `${cell.padEnd(widths[i]!)}  `)
    const lastCell = row
      .at(-1)!
      .split('\n')
      .flatMap((line) => wrap(line, lastWidth))
    return lastCell.map((line, i) => `${i === 0 ? firstCells.join('') : ' '.repeat(indent)}${line}`.trimEnd())
  })
}

/** Breaks a text at spaces. A word that is longer than a line gets its own line. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
