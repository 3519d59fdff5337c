/** Returns a Markdown table. */
export function createMarkdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const toLine = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [toLine(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(toLine)].join('\n')
}
