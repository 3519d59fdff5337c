/** What a system said, for the log: its beginning, without numbers, since one of them may be a stock count. */
export const redactedExcerpt = (text: string): string => text.slice(0, 200).replace(/\d+/g, '#')
