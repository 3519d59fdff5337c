/** A stand-in of `next/headers`: the cookies of one browser. */

interface CookieOptions {
  httpOnly?: boolean
  sameSite?: 'lax' | 'strict' | 'none'
  path?: string
}

const jar = new Map<string, { value: string; options: CookieOptions }>()

export const cookies = async () => ({
  get: (name: string) => jar.get(name),
  set: (name: string, value: string, options: CookieOptions) => void jar.set(name, { value, options }),
})
