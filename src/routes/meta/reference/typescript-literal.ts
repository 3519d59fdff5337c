const MAX_LINE_LENGTH = 60

/** Returns a value as a TypeScript literal, as a formatter writes it. */
export function toTypeScriptLiteral(value: unknown, indent = ''): string {
  if (typeof value === 'string') return toTextLiteral(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const parts = Array.isArray(value)
    ? value.map((entry) => toTypeScriptLiteral(entry, inner))
    : Object.entries(value).map(([name, member]) => `${toMemberName(name)}: ${toTypeScriptLiteral(member, inner)}`)
  const pad = open === '{' ? ' ' : ''
  const line = `${open}${pad}${parts.join(', ')}${pad}${close}`
  if (parts.length === 0) return open + close
  return line.length <= MAX_LINE_LENGTH && !line.includes('\n')
    ? line
    : `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}

const toTextLiteral = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
const toMemberName = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`)
