/**
 * The invalidation tags of a response: SKUs, LISTS_TAG and REFERENCES_TAG. Adding one compares it with no other, because most responses are
 * not cached: V8 looks up each text of a set in the table of all texts. Iterating returns each tag once.
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
