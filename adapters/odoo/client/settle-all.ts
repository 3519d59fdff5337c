/** Resolves like `Promise.all`, but rejects only after all promises have settled, so that no caller shares a read that is about to fail. */
export async function settleAll<T extends readonly unknown[]>(
  reads: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(reads)
  const failed = settled.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
  return Promise.all(reads) as Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }>
}
