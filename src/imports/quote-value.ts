/** Quotes the start of a value for an error message. Escapes all control characters: JSON does not escape U+007F to U+009F. */
export const quoteValue = (text: string): string =>
  JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text).replace(
    /[\u007f-\u009f]/g,
    (control) => `\\u00${control.charCodeAt(0).toString(16)}`,
  )
