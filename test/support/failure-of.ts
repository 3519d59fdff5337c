/** Returns the error of a promise that must fail. */
export async function failureOf(promise: Promise<unknown>): Promise<Record<string, unknown> & { message: string }> {
  try {
    await promise
  } catch (error) {
    return error as Record<string, unknown> & { message: string }
  }
  throw new Error('the promise did not reject')
}
