/** Returns a key that words which sound alike, roughly, have in common: "brek" and "brake". */
export const toPhoneticKey = (word: string): string =>
  word
    .replace(/ph/g, 'f')
    .replace(/ck|q/g, 'k')
    .replace(/c(?=[eiy])|z/g, 's')
    .replace(/c/g, 'k')
    .replace(/(?<=.)[aeiouyhw]+/g, '')
    .replace(/(.)\1+/g, '$1')
