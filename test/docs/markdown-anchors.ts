/** Returns the anchors of a Markdown page's headings as GitHub generates them. */
export function anchorsOf(markdown: string): string[] {
  const counts = new Map<string, number>()
  return [...markdown.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ +(.+)$/gm)].map(([, heading]) => {
    const anchor = heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/ /g, '-')
    const repeats = counts.get(anchor) ?? 0
    counts.set(anchor, repeats + 1)
    return repeats === 0 ? anchor : `${anchor}-${repeats}`
  })
}
