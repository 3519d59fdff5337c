/** Words of the trade that are written like another word, in the singular. The typed word may be one that the catalog has too. */
const CONFUSED: Readonly<Record<string, string>> = {
  axel: 'axle',
  break: 'brake',
  gage: 'gauge',
  lite: 'light',
  peddle: 'pedal',
}

/** Returns the word that is probably meant. */
export const findCommonlyConfusedWord = (word: string): string | undefined =>
  Object.hasOwn(CONFUSED, word) ? CONFUSED[word] : undefined
