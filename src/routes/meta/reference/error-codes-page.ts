import { sectionErrorCodes } from '../../../contract/section-error-codes.ts'
import { problemRemedies } from '../../../http/problem-remedies.ts'
import { MALFORMED_REQUEST_CODE } from '../../../http/server/malformed-requests.ts'
import { validationRemedies } from '../../../http/validation-remedies.ts'
import { problemTypes } from '../../../problem-types.ts'
import { createMarkdownTable } from './markdown-table.ts'

const intro = `An error response other than 422 is a problem (RFC 9457). Its code says what has happened. Use the code to decide what to do. Do not show \`detail\` or
\`title\` to shoppers: both may change. New codes may be added: handle an unknown code according to its status. A 422 has no \`code\`: its \`detail\` lists each mistake with its \`type\`, its location \`loc\` and its message \`msg\`.

## Problems
`
const sections = `
## Sections

A response with status 200 may lack a section, or have it with an older value (\`"stale": true\`). \`errors[]\` then has an entry with one of these
codes. Show a section that is stale; the remedies are for a section that is missing.
`
const mistakes = `
## Types of a 422

Most types are those of FastAPI, such as \`missing\` and \`string_too_long\`: \`msg\` says what to send. Forecourt adds these:
`
const browsers = `
## Blocked by CORS policy

A page can read every response to a publishable key, including errors. If the origin of the page is not on the list of the key, the response is 403
\`origin_not_allowed\`. If the URL exceeds 16 KiB, the response to the browser's preflight is already 431, and the page sees only a network error:
shorten the URL.

A page that sends a secret key can read no response except \`bad_request\`. The console of the browser then shows the origin
\`https://secret-key-in-a-page.invalid\`, for example:

\`\`\`text
Access to fetch at 'https://api.example/v1/products' from origin 'https://shop.example' has been blocked by CORS policy:
The 'Access-Control-Allow-Origin' header has a value 'https://secret-key-in-a-page.invalid' that is not equal to the supplied origin.
\`\`\`

Revoke the secret key (\`forecourt keys revoke\`), because everybody who opened the page could read it. Put a publishable key into the page, and make
the other calls from your server. Forecourt does not refuse the request, because it cannot tell a page from a server that forwards the \`Origin\` of a
browser. The header \`Forecourt-Hint\`, which the network panel of the browser shows, also says what to do.
`

/** Returns the page of all error codes and types: docs/errors.md, and a page of the API reference. */
export const createErrorCodesPage = (): string =>
  [
    intro,
    createMarkdownTable(['code', 'status', 'meaning', 'remedy'], problemRows()),
    sections,
    createMarkdownTable(['code', 'remedy'], toRows(sectionErrorCodes)),
    mistakes,
    createMarkdownTable(['type', 'remedy'], toRows(validationRemedies)),
    browsers,
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

/** Meanings of problems whose detail says what to do, or has names that need backticks here. */
const meanings: Readonly<Record<string, string>> = {
  missing_api_key: 'The request has no API key.',
  missing_shopper_token: 'The request has no shopper token.',
  publishable_key_not_allowed:
    'This call requires a secret key (one that contains `_sec_`), sent from your server and never from a browser.',
  price_changed:
    'The total is higher than `expected_total` (the total that the shopper saw), or accounting computed another total.',
  not_found: 'The path, or what it names, does not exist or belongs to somebody else.',
}

/** Returns the first sentence: the others are for the response. */
const toMeaning = (detail: string): string => detail.split(/(?<=\.) /)[0]!.replace('<', '\\<')

const toRows = (remedies: Readonly<Record<string, string>>): string[][] =>
  Object.entries(remedies).map(([code, remedy]) => [`\`${code}\``, remedy])
