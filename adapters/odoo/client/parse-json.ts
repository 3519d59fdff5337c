import { UpstreamError } from '../../../src/errors.ts'
import { toLogExcerpt } from '../../../src/upstream/client/log-excerpt.ts'

/** Parses the text of a response; one that is not JSON is `invalid`. */
export function parseJson(method: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UpstreamError('invalid', `${method} did not respond with JSON: ${toLogExcerpt(text)}`)
  }
}
