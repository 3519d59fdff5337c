/** What a scenario found: for people as tables, for machines as it is. */
export interface ScenarioResult {
  name: string
  tables: ReportTable[]
  figures: object
}

export interface ReportTable {
  title: string
  note?: string
  columns: string[]
  rows: (string | number)[][]
}

export function formatTable({ title, note, columns, rows }: ReportTable): string {
  const cells = [columns, ...rows].map((row) => row.map(String))
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => row[at]!.length)))
  const line = (row: string[]) =>
    `  ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[at]!))).join('  ')}`
  const rule = `  ${widths.map((width) => '-'.repeat(width)).join('  ')}`
  const [head, ...body] = cells.map(line)
  return [`\n${title}`, ...(note ? [`  ${note}`] : []), head, rule, ...body, ''].join('\n')
}

/** A table of figures that stand for themselves. */
export function toFiguresTable(title: string, figures: Record<string, string | number>, note?: string): ReportTable {
  return { title, columns: ['figure', 'value'], rows: Object.entries(figures), ...(note && { note }) }
}

export const print = (text: string): void => void process.stdout.write(`${text}\n`)
