/** Control characters, which a terminal may obey. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is escaped.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g

/** Returns a text of others in a form that a terminal only shows. */
export const escapeControls = (text: string): string => text.replace(CONTROL, toEscape)

const toEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
