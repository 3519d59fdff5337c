/** Looks up the last name of a setting's path, or the last two where the last one alone is not clear. An entry of a list has the name of the list. */
export function findBySettingPath(texts: Readonly<Record<string, string>>, path: string): string | undefined {
  const names = path.replace(/(\.\d+)+$/, '').split('.')
  return texts[names.slice(-2).join('.')] ?? texts[names.at(-1)!]
}
