/** Where site data are blocked, values are forgotten with the document. */
function openStorage(name: 'localStorage' | 'sessionStorage'): Record<string, string | undefined> {
  try {
    return window[name]
  } catch {
    return {}
  }
}

export const stored = openStorage('localStorage')
export const storedInTab = openStorage('sessionStorage')
