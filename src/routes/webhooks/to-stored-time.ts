/** Returns a time with milliseconds, as the store has it. */
export const toStoredTime = (text: string): string => new Date(text).toISOString()
