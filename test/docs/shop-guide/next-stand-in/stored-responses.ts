declare global {
  interface RequestInit {
    next?: { tags?: string[]; revalidate?: number }
  }
}

/** Responses by their URL, and the tags with which they were stored. */
export const storedResponses = new Map<string, { response: Response; tags: readonly string[] }>()
