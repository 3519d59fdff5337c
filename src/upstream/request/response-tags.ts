/**
 * The invalidation tags of a response: SKUs, LISTS_TAG and REFERENCES_TAG. Adding one compares it with no other, because most responses are
 * not cached, and a Set would hash each tag. Iterating returns each tag once.
 */
export interface ResponseTags extends Iterable<string> {
  add(tag: string): ResponseTags
}

export function createResponseTags(): ResponseTags {
  const added: string[] = []
  const tags: ResponseTags = {
    add(tag) {
      added.push(tag)
      return tags
    },
    [Symbol.iterator]: () => new Set(added).values(),
  }
  return tags
}
