export async function* toByteChunks(...texts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text as string)
}
