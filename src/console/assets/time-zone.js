// Tells the server the time zone of the browser, so that pages show times in it.

{
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const cookie = `forecourt_browser_time_zone=${timeZone}`
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  if (timeZone && !document.cookie.split('; ').includes(cookie))
    // biome-ignore lint/suspicious/noDocumentCookie: Firefox lacks the Cookie Store API before version 140, and http has none.
    document.cookie = `${cookie}; Path=/; Max-Age=31536000; SameSite=Strict${secure}`
}
