export interface ReportTable {
  title: string
  note?: string
  columns: string[]
  rows: (string | number)[][]
}

export function formatTable({ title, note, columns, rows }: ReportTable): string {
  const cells = [columns, ...rows].map((row) => row.map(String))
  const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)))
  const line = (row: string[]) =>
    `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  ')}`
  const rule = `  ${widths.map((width) => '-'.repeat(width)).join('  ')}`
  const [head, ...body] = cells.map(line)
  return [`\n${title}`, ...(note ? [`  ${note}`] : []), head, rule, ...body, ''].join('\n')
}

/** Formats figures as a table of two columns. */
export function toFiguresTable(title: string, figures: Record<string, string | number>, note?: string): ReportTable {
  return { title, columns: ['figure', 'value'], rows: Object.entries(figures), ...(note && { note }) }
}
