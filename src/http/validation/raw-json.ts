/** ECMAScript's JSON source text access, which TypeScript's library does not declare yet. */
interface SourceTextJson {
  /** A value that JSON.stringify writes exactly so. */
  rawJSON(text: string): object
  isRawJSON(value: unknown): boolean
  /** `source` is there for primitives only. */
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
}

export const rawJson: SourceTextJson = JSON as unknown as SourceTextJson
