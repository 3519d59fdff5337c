/** Spreadsheets take cells that begin with these for formulas. */
const FORMULA = /^[=+\-@\t\r]/

/** Formats rows as CSV (RFC 4180) with a head. A cell that a spreadsheet would calculate gets an apostrophe. */
export function formatCsv<R extends object>(columns: readonly (keyof R & string)[], rows: readonly R[]): string {
  const lines = rows.map((row) => columns.map((column) => toCell(row[column])).join(','))
  return [columns.join(','), ...lines].map((line) => `${line}\r\n`).join('')
}

function toCell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value)
  const safe = FORMULA.test(text) && typeof value !== 'number' ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
