/** The anchors of a Markdown page's headings, as GitHub makes them. */
export function anchorsOf(markdown: string): string[] {
  const seen = new Map<string, number>()
  return [...markdown.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ +(.+)$/gm)].map(([, heading]) => {
    const anchor = heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/ /g, '-')
    const times = seen.get(anchor) ?? 0
    seen.set(anchor, times + 1)
    return times === 0 ? anchor : `${anchor}-${times}`
  })
}
