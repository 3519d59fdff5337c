/** ECMAScript's JSON source text access, which TypeScript's library does not declare yet. */
interface SourceTextJson {
  /** Returns a value that JSON.stringify writes exactly as `text`. */
  rawJSON(text: string): object
  isRawJSON(value: unknown): boolean
  /** `source` is set for primitives only. */
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
}

export const sourceTextJson: SourceTextJson = JSON as unknown as SourceTextJson
