// Updates a live page: the server sends `<main>` when it has changed. It is morphed into place, so that focus, typed text and open details
// stay.

{
  const RECONNECT_MS = 5_000
  /** The server sends something every few seconds. */
  const SILENCE_MS = 10_000
  const CHECK_MS = 1_000
  const main = document.getElementById('main')
  const announcement = document.getElementById('announcement')
  const connection = document.getElementById('connection')

  const readAnnouncedTexts = () =>
    new Map(
      [...main.querySelectorAll('[data-announce]')].map((element) => [
        element.dataset.announce,
        element.textContent.trim(),
      ]),
    )

  /** Announces the changed `data-announce` parts to screen readers without moving the focus. */
  function announceChanges(before) {
    const changes = [...readAnnouncedTexts()].filter(([name, text]) => before.get(name) !== text)
    if (changes.length > 0) announcement.textContent = changes.map(([, text]) => text).join('. ')
  }

  const isBeingEdited = (node) =>
    node instanceof Element &&
    (node === document.activeElement ? node.matches('input, select, textarea') : node.matches('form[data-touched]'))

  /**
   * Returns a function that gives the focus back to the link that has it now. When rows move, its element is replaced, or it gets
   * another address: Enter must not follow that.
   */
  function keepFocusedLink() {
    const href = document.activeElement?.closest('#main a')?.getAttribute('href')
    return () => {
      if (!href || document.activeElement.getAttribute('href') === href) return
      document.activeElement.blur()
      main.querySelector(`a[href="${CSS.escape(href)}"]`)?.focus({ preventScroll: true })
    }
  }

  function morphMain(html) {
    const before = readAnnouncedTexts()
    const restoreFocusedLink = keepFocusedLink()
    Idiomorph.morph(main, html, {
      morphStyle: 'innerHTML',
      restoreFocus: true,
      callbacks: {
        beforeNodeMorphed: (node) => !isBeingEdited(node),
        beforeAttributeUpdated: (name, node) => !(name === 'open' && node.tagName === 'DETAILS'),
      },
    })
    restoreFocusedLink()
    announceChanges(before)
  }

  /** Reconnects, or reloads the page if the session has ended: the server then redirects to the sign-in page and back. */
  async function reconnect() {
    try {
      const response = await fetch(location.href, {
        method: 'HEAD',
        redirect: 'manual',
        headers: { Accept: 'text/html' },
      })
      if (response.type === 'opaqueredirect' || response.status === 401) return location.reload()
    } catch {
      // The server is not reachable; the next attempt may succeed.
    }
    connect()
  }

  const { title } = document
  let heardAt = Date.now()
  let lostAt = null
  let trouble = 'no connection to the server'

  /** Marks the whole page as old, with its age, and takes the colours from its states. */
  function showConnection() {
    const isLost = lostAt !== null
    connection.hidden = !isLost
    document.body.toggleAttribute('data-not-live', isLost)
    document.title = isLost ? `Not live · ${title}` : title
    if (!isLost) return
    const seconds = Math.round((Date.now() - heardAt) / 1_000)
    connection.textContent = `Not live: ${trouble}. This page is ${seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`} old. Reconnecting …`
  }

  function hear() {
    heardAt = Date.now()
    lostAt = null
    trouble = 'no connection to the server'
    showConnection()
  }

  function lose(reason = trouble) {
    trouble = reason
    lostAt ??= Date.now()
    showConnection()
  }

  /** A server that hangs closes no connection. */
  function watchSilence() {
    if (isVisible() && Date.now() - heardAt > SILENCE_MS) lose()
    else showConnection()
  }

  /** Browsers allow six connections per host for all tabs, so hidden tabs close theirs. */
  let disconnect = () => {}
  const isVisible = () => document.visibilityState === 'visible'

  function connect() {
    disconnect()
    if (!isVisible()) return
    heardAt = lostAt === null ? Date.now() : heardAt
    const source = new EventSource(location.href)
    disconnect = () => source.close()
    source.addEventListener('main', ({ data }) => {
      hear()
      morphMain(data)
    })
    source.addEventListener('alive', hear)
    source.addEventListener('trouble', ({ data }) => lose(data))
    source.addEventListener('ended', () => {
      source.close()
      location.reload()
    })
    source.addEventListener('error', () => {
      lose()
      if (source.readyState !== EventSource.CLOSED) return
      setTimeout(reconnect, RECONNECT_MS)
    })
  }

  main.addEventListener('input', ({ target }) => target.form?.toggleAttribute('data-touched', true))
  if (document.body.hasAttribute('data-live')) {
    document.addEventListener('visibilitychange', () => (isVisible() ? connect() : disconnect()))
    addEventListener('pagehide', () => disconnect())
    setInterval(watchSilence, CHECK_MS)
    connect()
  }
}
