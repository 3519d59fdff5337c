// Keeps a live page up to date: its main part is sent anew when it changed, and morphed into place so that the focus, what is typed
// and what is open stay.

{
  const AGAIN_MS = 5_000
  const main = document.getElementById('main')
  const said = document.getElementById('said')
  const live = document.getElementById('live')

  const announced = () =>
    new Map(
      [...main.querySelectorAll('[data-announce]')].map((element) => [
        element.dataset.announce,
        element.textContent.trim(),
      ]),
    )

  /** What changed of the parts that ask for it is said to screen readers, without moving the focus. */
  function announce(before) {
    const news = [...announced()].filter(([name, text]) => before.get(name) !== text).map(([, text]) => text)
    if (news.length > 0) said.textContent = news.join('. ')
  }

  const kept = (element) =>
    element instanceof Element &&
    (element === document.activeElement
      ? element.matches('input, select, textarea')
      : element.matches('form[data-touched]'))

  function morph(html) {
    const before = announced()
    Idiomorph.morph(main, html, {
      morphStyle: 'innerHTML',
      restoreFocus: true,
      callbacks: {
        beforeNodeMorphed: (old) => !kept(old),
        beforeAttributeUpdated: (name, node) => !(name === 'open' && node.tagName === 'DETAILS'),
      },
    })
    announce(before)
  }

  function interrupted(words) {
    live.textContent = words
    live.hidden = false
  }

  /** A session that has ended leads to the sign-in page, and back here. */
  async function again() {
    try {
      const reply = await fetch(location.href, { method: 'HEAD', redirect: 'manual', headers: { Accept: 'text/html' } })
      if (reply.type === 'opaqueredirect' || reply.status === 401) return location.reload()
    } catch {
      // Nobody is there: perhaps later.
    }
    watch()
  }

  /** A browser opens six connections to a place, for all of its tabs: those that nobody sees leave theirs to the others. */
  let close = () => {}
  const isSeen = () => document.visibilityState === 'visible'

  function watch() {
    close()
    if (!isSeen()) return
    const source = new EventSource(location.href)
    close = () => source.close()
    source.addEventListener('open', () => (live.hidden = true))
    source.addEventListener('main', ({ data }) => morph(data))
    source.addEventListener('ended', () => {
      source.close()
      location.reload()
    })
    source.addEventListener('error', () => {
      interrupted('Not live: trying again …')
      if (source.readyState !== EventSource.CLOSED) return
      setTimeout(again, AGAIN_MS)
    })
  }

  main.addEventListener('input', ({ target }) => target.form?.toggleAttribute('data-touched', true))
  if (document.body.hasAttribute('data-live')) {
    document.addEventListener('visibilitychange', () => (isSeen() ? watch() : close()))
    addEventListener('pagehide', () => close())
    watch()
  }
}
