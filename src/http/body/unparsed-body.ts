/** A body as text, before parsing. JSON that is not UTF-8 is the empty text. */
export type UnparsedBody = { kind: 'absent' } | { kind: 'json'; text: string } | { kind: 'other'; text: string }
