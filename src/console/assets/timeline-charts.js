// Draws the charts of the Timeline page. The tables of the page have the same data.
/* global uPlot */
const REFRESH_MS = 30_000
const isNarrow = matchMedia('(max-width: 44rem)')
const readHeight = () => (isNarrow.matches ? 110 : 220)
/** Wide enough to see the hatching of a short pause in a long range. */
const MIN_BAND_PX = 8
const CAP_PX = 5
const plots = new Map()
/** Collapsed charts are drawn when they are opened. */
const isCollapsed = (element) => element.closest('.collapsed-charts:not([open])') !== null

const root = document.getElementById('charts')
/** Returns a colour of the current scheme: a canvas supports neither CSS variables nor light-dark(). */
function readColor(name) {
  const probe = root.appendChild(document.createElement('span'))
  probe.style.color = `var(--chart-${name})`
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
const darkScheme = matchMedia('(prefers-color-scheme: dark)')

const isMissing = (value) => value === null || value === undefined
const formatPercent = (value) => (isMissing(value) ? '–' : `${Number(value.toFixed(2))} %`)
const formatMs = (value) => (isMissing(value) ? '–' : `${Math.round(value)} ms`)

/** Draws the periods of an open or held circuit behind the lines, hatched, so that colour is not the only sign. */
function drawBands(plot, bands) {
  const { ctx, bbox } = plot
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  for (const { from, to, state } of bands) {
    const left = plot.valToPos(from, 'x', true)
    const width = Math.max(MIN_BAND_PX * devicePixelRatio, plot.valToPos(to, 'x', true) - left)
    ctx.fillStyle = readColor(state === 'held_closed' ? 'held' : 'open')
    ctx.globalAlpha = 0.18
    ctx.fillRect(left, bbox.top, width, bbox.height)
    ctx.globalAlpha = 0.9
    ctx.fillRect(left, bbox.top, width, CAP_PX * devicePixelRatio)
    ctx.globalAlpha = 0.7
    ctx.strokeStyle = ctx.fillStyle
    ctx.lineWidth = 1.5 * devicePixelRatio
    drawHatching(ctx, { left, width, top: bbox.top, height: bbox.height }, state)
  }
  ctx.restore()
}

function drawHatching(ctx, { left, width, top, height }, state) {
  ctx.save()
  ctx.beginPath()
  ctx.rect(left, top, width, height)
  ctx.clip()
  const [startY, endY] = state === 'open' ? [top + height, top] : [top, top + height]
  ctx.beginPath()
  for (let x = left - height; x < left + width + height; x += 8 * devicePixelRatio) {
    ctx.moveTo(x, startY)
    ctx.lineTo(x + height, endY)
  }
  ctx.stroke()
  ctx.restore()
}

/** Draws a dotted line at each start of the server. */
function drawStarts(plot, starts) {
  const { ctx, bbox } = plot
  ctx.save()
  ctx.strokeStyle = readColor('ink')
  ctx.lineWidth = 2
  ctx.setLineDash([2, 4])
  for (const start of starts) {
    const left = Math.round(plot.valToPos(start, 'x', true))
    if (left < bbox.left || left > bbox.left + bbox.width) continue
    ctx.beginPath()
    ctx.moveTo(left, bbox.top)
    ctx.lineTo(left, bbox.top + bbox.height)
    ctx.stroke()
  }
  ctx.restore()
}

const DAY_S = 86_400

/** Creates the time formats in the merchant's time zone. */
function createTimeFormats({ from, to, timeZone }) {
  const dayOptions = { day: 'numeric', month: 'short' }
  const hourOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
  const axisOptions = to - from > 2 * DAY_S ? dayOptions : hourOptions
  const axisFormat = new Intl.DateTimeFormat('en-GB', { timeZone, ...axisOptions })
  const legendFormat = new Intl.DateTimeFormat('en-GB', { timeZone, ...dayOptions, ...hourOptions })
  return {
    formatAxisTime: (seconds) => axisFormat.format(seconds * 1_000),
    formatLegendTime: (seconds) => (seconds ? legendFormat.format(seconds * 1_000) : '–'),
  }
}

/** Returns the values between two gaps, which would be invisible as a line and are drawn as points. */
function findIsolatedPoints(plot, seriesIndex) {
  const values = plot.data[seriesIndex]
  const isGap = (index) => isMissing(values[index])
  return values.flatMap((_, index) => (!isGap(index) && isGap(index - 1) && isGap(index + 1) ? [index] : []))
}

function createLineSeries(name, label, dash) {
  const color = readColor(name)
  return {
    label,
    scale: 'ms',
    stroke: color,
    width: 2,
    ...(dash && { dash }),
    value: (_, ms) => formatMs(ms),
    points: { show: true, filter: findIsolatedPoints, size: 6, fill: color },
  }
}

function createShareSeries(label) {
  const color = readColor('degraded')
  return {
    label,
    scale: '%',
    stroke: color,
    width: 0,
    fill: `color-mix(in srgb, ${color} 65%, transparent)`,
    value: (_, percent) => formatPercent(percent),
    points: { show: false },
    paths: uPlot.paths.bars({ size: [1, Number.POSITIVE_INFINITY], align: 1 }),
  }
}

function createAxes(formatAxisTime) {
  const lines = { stroke: readColor('grid'), width: 1 }
  const axis = { stroke: readColor('ink'), grid: lines, ticks: lines, font: '12px sans-serif' }
  const formatAll = (format) => (_, values) => values.map(format)
  return [
    { ...axis, size: 32, values: formatAll(formatAxisTime) },
    { ...axis, scale: '%', size: 52, values: formatAll((percent) => `${percent} %`) },
    { ...axis, scale: 'ms', side: 1, size: 72, grid: { show: false }, values: formatAll((ms) => `${ms} ms`) },
  ]
}

function createPlotOptions(chart, width) {
  const { formatAxisTime, formatLegendTime } = createTimeFormats(chart)
  return {
    width,
    height: readHeight(),
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), chart.timeZone),
    cursor: { sync: { key: 'timeline' }, drag: { x: true, y: false } },
    scales: {
      x: { time: true, range: () => [chart.from, chart.to] },
      '%': { range: [0, 100] },
      ms: { range: (_, __, max) => [0, Math.max(10, max * 1.1)] },
    },
    axes: createAxes(formatAxisTime),
    series: [
      { label: 'Time', value: (_, seconds) => formatLegendTime(seconds) },
      createShareSeries(chart.share),
      createLineSeries('p50', 'Typical time'),
      createLineSeries('p99', 'Slow time', [6, 3]),
    ],
    hooks: { drawClear: [(plot) => drawBands(plot, chart.bands)], draw: [(plot) => drawStarts(plot, chart.starts)] },
  }
}

function drawChart(element, chart) {
  plots.get(element)?.destroy()
  const columns = [chart.times, chart.degraded, chart.p50, chart.p99]
  plots.set(element, new uPlot(createPlotOptions(chart, element.clientWidth), columns, element))
}

function drawCharts({ charts, from, to, timeZone, starts }) {
  for (const element of root.querySelectorAll('[data-chart]')) {
    const chart = charts[element.dataset.chart]
    if (!chart || isCollapsed(element)) continue
    drawChart(element, { ...chart, from, to, timeZone, starts })
    element.classList.add('is-drawn')
  }
}

let latest = null
async function refresh() {
  const response = await fetch(root.dataset.series, { headers: { Accept: 'application/json' } })
  // The session has ended: the next page load leads to the sign-in page.
  if (!response.ok) return
  latest = await response.json()
  drawCharts(latest)
}

if (root) {
  new ResizeObserver(() => {
    for (const [element, plot] of plots)
      if (!isCollapsed(element)) plot.setSize({ width: element.clientWidth, height: readHeight() })
  }).observe(root)
  const redraw = () => latest && drawCharts(latest)
  root.querySelector('.collapsed-charts')?.addEventListener('toggle', redraw)
  darkScheme.addEventListener('change', redraw)
  // Paper is white, and a canvas keeps the colours in which it was drawn.
  const drawFor = (colorScheme) => {
    root.style.colorScheme = colorScheme
    if (darkScheme.matches) redraw()
  }
  addEventListener('beforeprint', () => drawFor('light'))
  addEventListener('afterprint', () => drawFor(''))
  const tryRefresh = () => refresh().catch(() => {})
  tryRefresh()
  setInterval(() => document.visibilityState === 'visible' && tryRefresh(), REFRESH_MS)
}
