const BUSY_SYSTEM_TIMEOUT_MS = 5_000

/** Returns whether a system with this token responds on the port. */
export async function systemResponds(
  port: number,
  { accounts, token }: { accounts: readonly string[]; token: string },
): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/${accounts[0]}/health`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(BUSY_SYSTEM_TIMEOUT_MS),
    })
    return response.ok
  } catch {
    return false
  }
}
