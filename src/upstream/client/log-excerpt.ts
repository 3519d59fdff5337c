/** Returns the beginning of a system's response for the log. Digits are masked, because a number may be a stock count. */
export const toLogExcerpt = (text: string): string => text.slice(0, 200).replace(/\d+/g, '#')
