/** Replaces NUL, which PostgreSQL text cannot contain. No import contains the replacement character, so nothing matches. */
export const replaceNul = (text: string): string => text.replaceAll('\0', '\ufffd')
