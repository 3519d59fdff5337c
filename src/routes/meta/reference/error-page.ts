import { sectionErrorCodes } from '../../../contract/problem.ts'
import { problemTypes } from '../../../errors.ts'
import { problemRemedies } from '../../../http/problem-remedies.ts'
import { MALFORMED_REQUEST_CODE } from '../../../http/server/malformed-requests.ts'

const intro = `An error response other than 422 is a problem (RFC 9457). Its code says what has happened. Use the code to decide what to do. Do not show \`detail\` or
\`title\` to shoppers: both may change. Codes may be added: treat an unknown code by its status. A 422 has no \`code\`: its \`detail\` lists each mistake with its \`type\`, its location \`loc\` and its message \`msg\`.

## Problems
`
const sections = `
## Sections

A response with status 200 may lack a section. \`errors[]\` then has an entry with one of these codes.
`

/** Returns the page of all error codes: docs/errors.md, and a page of the API reference. */
export const createErrorPage = (): string =>
  [
    intro,
    createTable(['code', 'status', 'meaning', 'remedy'], problemRows()),
    sections,
    createTable(['code', 'remedy'], sectionRows()),
    '',
  ].join('\n')

function problemRows(): string[][] {
  const known = Object.entries(problemTypes).map(([code, [status, , detail]]) => ({
    code,
    status: String(status),
    detail,
  }))
  const malformed = {
    code: MALFORMED_REQUEST_CODE,
    status: '400, 408, 417, 431',
    detail: 'The request is not well-formed HTTP, or did not arrive in time.',
  }
  return [malformed, ...known].map(({ code, status, detail }) => [
    `\`${code}\``,
    status,
    meanings[code] ?? toMeaning(detail),
    problemRemedies[code as keyof typeof problemRemedies],
  ])
}

/** Meanings of problems whose detail says what to do, not what is wrong. */
const meanings: Readonly<Record<string, string>> = {
  missing_api_key: 'The request has no API key.',
  missing_shopper_token: 'The request has no shopper token.',
  not_found: 'The path, or what it names, does not exist or belongs to somebody else.',
}

/** Returns the first sentence: the others are for the response. */
const toMeaning = (detail: string): string => detail.split(/(?<=\.) /)[0]!.replace('<', '\\<')

const sectionRows = (): string[][] => Object.entries(sectionErrorCodes).map(([code, remedy]) => [`\`${code}\``, remedy])

/** Returns a Markdown table. */
export function createTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const toLine = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [toLine(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(toLine)].join('\n')
}
