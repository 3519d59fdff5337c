// Draws the charts of the Timeline page. What they show is in the tables beside them as well.
/* global uPlot */
const EVERY_MS = 30_000
const HEIGHT = 220
const drawn = new Map()

const root = document.getElementById('charts')
/** As it is in this scheme: a canvas knows neither variables nor light-dark(). */
function colour(name) {
  const probe = root.appendChild(document.createElement('span'))
  probe.style.color = `var(--chart-${name})`
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
const dark = matchMedia('(prefers-color-scheme: dark)')

const percent = (value) => (value === null || value === undefined ? '–' : `${Number(value.toFixed(2))} %`)
const milliseconds = (value) => (value === null || value === undefined ? '–' : `${Math.round(value)} ms`)

/** Behind the lines: when the circuit was open, hatched so that it is told by more than its colour. */
function bands(chart, of) {
  const { ctx, bbox } = chart
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  for (const { from, to, state } of of) {
    const left = chart.valToPos(from, 'x', true)
    const width = Math.max(2, chart.valToPos(to, 'x', true) - left)
    ctx.fillStyle = colour(state === 'held_closed' ? 'held' : 'open')
    ctx.globalAlpha = 0.18
    ctx.fillRect(left, bbox.top, width, bbox.height)
    ctx.globalAlpha = 0.6
    ctx.strokeStyle = ctx.fillStyle
    ctx.lineWidth = 1
    hatch(ctx, { left, width, top: bbox.top, height: bbox.height }, state)
  }
  ctx.restore()
}

function hatch(ctx, { left, width, top, height }, state) {
  ctx.save()
  ctx.beginPath()
  ctx.rect(left, top, width, height)
  ctx.clip()
  const lean = state === 'open' ? 1 : -1
  ctx.beginPath()
  for (let x = left - height; x < left + width + height; x += 12) {
    ctx.moveTo(x, lean > 0 ? top + height : top)
    ctx.lineTo(x + height, lean > 0 ? top : top + height)
  }
  ctx.stroke()
  ctx.restore()
}

const DAY_S = 86_400

/** In the hours of the shop. */
function clock({ from, to, timeZone }) {
  const days = { day: 'numeric', month: 'short' }
  const hours = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
  const brief = new Intl.DateTimeFormat('en-GB', { timeZone, ...(to - from > 2 * DAY_S ? days : hours) })
  const whole = new Intl.DateTimeFormat('en-GB', { timeZone, ...days, ...hours })
  return { brief: (at) => brief.format(at * 1_000), whole: (at) => (at ? whole.format(at * 1_000) : '–') }
}

/** A value between two gaps makes no line: it is shown as a point. */
function lonely(chart, index) {
  const values = chart.data[index]
  const isGap = (at) => values[at] === null || values[at] === undefined
  return values.flatMap((_, at) => (!isGap(at) && isGap(at - 1) && isGap(at + 1) ? [at] : []))
}

function options(series, width) {
  const [ink, grid, { brief, whole }] = [colour('ink'), colour('grid'), clock(series)]
  const lines = { stroke: grid, width: 1 }
  const axis = { stroke: ink, grid: lines, ticks: lines, font: '12px sans-serif' }
  const line = (label, more = {}) => ({
    ...{ label, scale: 'ms', stroke: colour(label), width: 2, value: (_, at) => milliseconds(at) },
    ...{ points: { show: true, filter: lonely, size: 6, fill: colour(label) }, ...more },
  })
  const degraded = colour('degraded')
  return {
    ...{ width, height: HEIGHT, tzDate: (at) => uPlot.tzDate(new Date(at * 1_000), series.timeZone) },
    cursor: { sync: { key: 'timeline' }, drag: { x: true, y: false } },
    scales: {
      x: { time: true, range: () => [series.from, series.to] },
      '%': { range: [0, 100] },
      ms: { range: (_, __, most) => [0, Math.max(10, most * 1.1)] },
    },
    axes: [
      { ...axis, values: (_, at) => at.map(brief) },
      { ...axis, scale: '%', size: 52, values: (_, at) => at.map((value) => `${value} %`) },
      { ...axis, scale: 'ms', side: 1, size: 72, grid: { show: false }, values: (_, at) => at.map((ms) => `${ms} ms`) },
    ],
    series: [
      { label: 'Time', value: (_, at) => whole(at) },
      {
        ...{
          label: series.share,
          scale: '%',
          stroke: degraded,
          width: 0,
          fill: `color-mix(in srgb, ${degraded} 65%, transparent)`,
        },
        ...{ value: (_, at) => percent(at), points: { show: false } },
        paths: uPlot.paths.bars({ size: [1, Number.POSITIVE_INFINITY], align: 1 }),
      },
      line('p50'),
      line('p99', { dash: [6, 3] }),
    ],
    hooks: { drawClear: [(chart) => bands(chart, series.bands)] },
  }
}

const columns = ({ times, degraded, p50, p99 }) => [times, degraded, p50, p99]

function draw(place, series) {
  drawn.get(place)?.destroy()
  const chart = new uPlot(options(series, place.clientWidth), columns(series), place)
  drawn.set(place, chart)
}

function show(answer) {
  for (const place of root.querySelectorAll('[data-chart]')) {
    const series = answer.charts[place.dataset.chart]
    if (!series) continue
    draw(place, { ...series, from: answer.from, to: answer.to, timeZone: answer.timeZone })
    place.classList.add('is-drawn')
  }
}

let last = null
async function look() {
  const reply = await fetch(root.dataset.series, { headers: { Accept: 'application/json' } })
  // The sign-in is over: the page says so when it is asked for again.
  if (!reply.ok) return
  last = await reply.json()
  show(last)
}

if (root) {
  new ResizeObserver(() => {
    for (const [place, chart] of drawn) chart.setSize({ width: place.clientWidth, height: HEIGHT })
  }).observe(root)
  dark.addEventListener('change', () => last && show(last))
  const again = () => look().catch(() => {})
  again()
  setInterval(() => document.visibilityState === 'visible' && again(), EVERY_MS)
}
