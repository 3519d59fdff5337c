import { print } from './print.ts'

const LEAST_LAST = 40

/** Rows under their heads, each column as wide as it must be. With `width`, the last column is wrapped to fit into it. */
export function printTable(heads: readonly string[], rows: readonly (readonly string[])[], width = Infinity): void {
  for (const line of formatTable(heads, rows, width)) print(line)
}

export function formatTable(heads: readonly string[], rows: readonly (readonly string[])[], width: number): string[] {
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i]!.length)))
  const before = widths.slice(0, -1).reduce((sum, one) => sum + one + 2, 0)
  const last = Math.max(LEAST_LAST, width - before)
  return [heads, ...rows].flatMap((row) => {
    const lead = row.slice(0, -1).map((cell, i) => `${cell.padEnd(widths[i]!)}  `)
    const wrapped = row
      .at(-1)!
      .split('\n')
      .flatMap((line) => wrap(line, last))
    return wrapped.map((line, i) => `${i === 0 ? lead.join('') : ' '.repeat(before)}${line}`.trimEnd())
  })
}

/** A word that is longer than a line stands on a line of its own. */
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
