const quoteCell = (text: string) => (/[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Formats a line of CSV, without its line end. */
export const formatCsvLine = (cells: readonly string[]): string => cells.map(quoteCell).join(',')
