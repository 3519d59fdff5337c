import { unescape as percentDecode } from 'node:querystring'
import type { FieldValidator } from './object.ts'

const ENCODED = /[%+]/

const decode = (text: string) => (ENCODED.test(text) ? percentDecode(text.replaceAll('+', ' ')) : text)

/** The value of each declared parameter, in declared order; all values of one that is declared as a list. */
type Values = (string | string[] | undefined)[]

/** Reads the declared parameters of a query string. The last value of a repeated one counts, unless it is declared as a list. */
export function createQueryReader(
  declared: readonly Pick<FieldValidator, 'name' | 'isList' | 'separator'>[],
): (query: string) => Values {
  const parameters = new Map<string, Parameter>(declared.map(({ name, ...list }, at) => [name, { at, ...list }]))
  return (query) => {
    const values = new Array<string | string[] | undefined>(declared.length).fill(undefined)
    for (let from = 0; from < query.length; ) {
      const separator = query.indexOf('&', from)
      const to = separator < 0 ? query.length : separator
      readPair(query.slice(from, to), parameters, values)
      from = to + 1
    }
    return values
  }
}

interface Parameter extends Pick<FieldValidator, 'isList' | 'separator'> {
  at: number
}

function readPair(pair: string, parameters: Map<string, Parameter>, values: Values): void {
  const equals = pair.indexOf('=')
  const parameter = parameters.get(decode(equals < 0 ? pair : pair.slice(0, equals)))
  if (!parameter) return
  const text = equals < 0 ? '' : decode(pair.slice(equals + 1))
  if (!parameter.isList) values[parameter.at] = text
  else {
    const list = (values[parameter.at] ?? []) as string[]
    values[parameter.at] = list
    if (parameter.separator === undefined) list.push(text)
    else list.push(...text.split(parameter.separator).filter((part) => part !== ''))
  }
}
