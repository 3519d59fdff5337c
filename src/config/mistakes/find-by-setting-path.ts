/** Looks up a setting by the last name of its path, or by the last two if the last one is ambiguous. An entry of a list has the name of the list. */
export function findBySettingPath(texts: Readonly<Record<string, string>>, path: string): string | undefined {
  const names = path.replace(/(\.\d+)+$/, '').split('.')
  return texts[names.slice(-2).join('.')] ?? texts[names.at(-1)!]
}
