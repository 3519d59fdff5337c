/** Replaces NUL, which PostgreSQL rejects, by U+FFFD, which no name contains. */
export const replaceNulCharacters = (text: string): string =>
  text.replaceAll('%00', '%EF%BF%BD').replaceAll('\0', '\uFFFD')
