/** The beginning of a system's answer for the log, without digits: a number may be a stock count. */
export const redactedExcerpt = (text: string): string => text.slice(0, 200).replace(/\d+/g, '#')
