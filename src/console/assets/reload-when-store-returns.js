// Opens the page again when the server reports that the store is available.

{
  const INTERVAL_MS = 3_000

  async function check() {
    try {
      const response = await fetch('/readyz')
      const { store } = await response.json()
      if (store === 'ok') return location.reload()
    } catch {
      // The server is not reachable; the next attempt may succeed.
    }
    setTimeout(check, INTERVAL_MS)
  }

  setTimeout(check, INTERVAL_MS)
}
