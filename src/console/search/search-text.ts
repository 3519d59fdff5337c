import { isWellFormedApiKey } from '../../storage/keys/api-key-format.ts'

/** What was typed into the search box. */
export interface SearchText {
  /** As it was typed, without spaces around it and with single spaces in it. */
  text: string
  /** Without spaces, and without a `#` before it: ids have none. */
  id: string
  /** A whole API key; `null`: it is none. */
  key: string | null
  /** The first characters of an API key, as many as are stored; `null`: it is no key. */
  keyPrefix: string | null
  /** An email address in lower case; `null`: it is none. */
  email: string | null
  /** It may be shown, and be in a URL: it is neither a key nor an address. */
  isPublic: boolean
}

/** Request ids have at most 128 characters, and SKUs too. */
const MAX_LENGTH = 200
const KEY_START = /^svc_/i
/** A key with something around it: `Bearer svc_…`, `"svc_…"`, `key=svc_…`. */
const KEY_INSIDE = /svc_(?:live|test)_(?:pub|sec)_[0-9A-Za-z]{49}/
const SECRET = /svc_|whsec_/i
/** The characters of a key that are stored, and shown to recognise it by. */
const KEY_HINT_LENGTH = 16
const EMAIL = /^[^@\s]+@[^@\s]+$/

export function parseSearchText(typed: string): SearchText {
  const text = typed.trim().replace(/\s+/g, ' ').slice(0, MAX_LENGTH)
  const typedId = text.replaceAll(' ', '').replace(/^#/, '')
  const id = KEY_INSIDE.exec(typedId)?.[0] ?? typedId
  const isKey = KEY_START.test(id)
  const email = EMAIL.test(id) ? id.toLowerCase() : null
  const isHint = isKey && id.includes('…')
  return {
    text,
    id,
    key: isWellFormedApiKey(id) ? id : null,
    keyPrefix: isKey && !isHint ? id.slice(0, KEY_HINT_LENGTH) : null,
    email,
    isPublic:
      !text.includes('@') &&
      (!SECRET.test(text) || (isKey && id === typedId && (isHint || id.length <= KEY_HINT_LENGTH))),
  }
}
